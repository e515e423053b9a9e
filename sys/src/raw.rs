//! VPP's whole C API, generated from the installed headers.
