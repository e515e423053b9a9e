//! VPP's own arcs and features, as data (`VNET_FEATURE_ARC_INIT` and `VNET_FEATURE_INIT` in VPP's sources).

use std::ffi::CStr;

/// One of VPP's own arcs.
pub(super) struct VppArc {
    pub(super) name: &'static CStr,
    pub(super) start: &'static [&'static CStr],
    pub(super) last: Option<&'static CStr>,
    /// Features and what they run before, in VPP's order of registration.
    pub(super) features: &'static [(&'static CStr, Option<&'static CStr>)],
}

/// VPP's arcs, with the features that come with VPP itself: plugins name them in their constraints.
pub(super) const VPP_ARCS: &[VppArc] = &[
    VppArc {
        name: c"device-input",
        start: &[c"device-input"],
        last: Some(c"ethernet-input"),
        features: &[
            (c"l2-patch", Some(c"ethernet-input")),
            (c"worker-handoff", Some(c"ethernet-input")),
            (c"span-input", Some(c"ethernet-input")),
            (c"p2p-ethernet-input", Some(c"ethernet-input")),
            (c"ethernet-input", None),
        ],
    },
    VppArc {
        name: c"ip4-unicast",
        start: &[c"ip4-input", c"ip4-input-no-checksum"],
        last: Some(c"ip4-lookup"),
        features: &[
            (c"ip4-flow-classify", Some(c"ip4-inacl")),
            (c"ip4-inacl", Some(c"ip4-policer-classify")),
            (c"ip4-source-and-port-range-check-rx", Some(c"ip4-policer-classify")),
            (c"ip4-policer-classify", Some(c"ipsec4-input-feature")),
            (c"ipsec4-input-feature", Some(c"vpath-input-ip4")),
            (c"vpath-input-ip4", Some(c"ip4-vxlan-bypass")),
            (c"ip4-vxlan-bypass", Some(c"ip4-lookup")),
            (c"ip4-not-enabled", Some(c"ip4-lookup")),
            (c"ip4-lookup", None),
        ],
    },
    VppArc {
        name: c"ip4-multicast",
        start: &[c"ip4-input", c"ip4-input-no-checksum"],
        last: Some(c"ip4-mfib-forward-lookup"),
        features: &[
            (c"vpath-input-ip4", Some(c"ip4-mfib-forward-lookup")),
            (c"ip4-not-enabled", Some(c"ip4-mfib-forward-lookup")),
            (c"ip4-mfib-forward-lookup", None),
        ],
    },
    VppArc {
        name: c"ip6-unicast",
        start: &[c"ip6-input"],
        last: Some(c"ip6-lookup"),
        features: &[
            (c"ip6-flow-classify", Some(c"ip6-inacl")),
            (c"ip6-inacl", Some(c"ip6-policer-classify")),
            (c"ip6-policer-classify", Some(c"ipsec6-input-feature")),
            (c"ipsec6-input-feature", Some(c"l2tp-decap")),
            (c"l2tp-decap", Some(c"vpath-input-ip6")),
            (c"vpath-input-ip6", Some(c"ip6-vxlan-bypass")),
            (c"ip6-vxlan-bypass", Some(c"ip6-lookup")),
            (c"ip6-not-enabled", Some(c"ip6-lookup")),
            (c"ip6-lookup", None),
        ],
    },
    VppArc {
        name: c"ip6-multicast",
        start: &[c"ip6-input"],
        last: Some(c"ip6-mfib-forward-lookup"),
        features: &[
            (c"vpath-input-ip6", Some(c"ip6-mfib-forward-lookup")),
            (c"ip6-not-enabled", Some(c"ip6-mfib-forward-lookup")),
            (c"ip6-mfib-forward-lookup", None),
        ],
    },
    VppArc {
        name: c"error-drop",
        start: &[c"error-drop"],
        last: Some(c"drop"),
        features: &[(c"drop", None)],
    },
    // Arcs that VPP has and that no packet reaches here.
    VppArc {
        name: c"interface-output",
        start: &[],
        last: Some(c"interface-output-arc-end"),
        features: &[
            (c"span-output", Some(c"interface-output-arc-end")),
            (c"ipsec-if-output", Some(c"interface-output-arc-end")),
            (c"interface-output-arc-end", None),
        ],
    },
    VppArc {
        name: c"ip4-output",
        start: &[c"ip4-rewrite", c"ip4-midchain", c"ip4-dvr-dpo"],
        last: Some(c"interface-output"),
        features: &[
            (c"ip4-source-and-port-range-check-tx", Some(c"ip4-outacl")),
            (c"ip4-outacl", Some(c"ipsec4-output-feature")),
            (c"ipsec4-output-feature", Some(c"interface-output")),
            (c"interface-output", None),
        ],
    },
    VppArc {
        name: c"ip6-output",
        start: &[c"ip6-rewrite", c"ip6-midchain", c"ip6-dvr-dpo"],
        last: Some(c"interface-output"),
        features: &[
            (c"ip6-outacl", Some(c"ipsec6-output-feature")),
            (c"ipsec6-output-feature", Some(c"interface-output")),
            (c"interface-output", None),
        ],
    },
    VppArc {
        name: c"ip4-local",
        start: &[c"ip4-local", c"ip4-receive"],
        last: Some(c"ip4-local-end-of-arc"),
        features: &[(c"ip4-local-end-of-arc", None)],
    },
    VppArc {
        name: c"ip6-local",
        start: &[c"ip6-local", c"ip6-receive"],
        last: Some(c"ip6-local-end-of-arc"),
        features: &[(c"ip6-local-end-of-arc", None)],
    },
    VppArc { name: c"ip4-punt", start: &[c"ip4-punt"], last: None, features: &[] },
    VppArc { name: c"ip4-drop", start: &[c"ip4-drop", c"ip4-not-enabled"], last: None, features: &[] },
    VppArc { name: c"ip6-punt", start: &[c"ip6-punt"], last: None, features: &[] },
    VppArc { name: c"ip6-drop", start: &[c"ip6-drop", c"ip6-not-enabled"], last: None, features: &[] },
    VppArc {
        name: c"arp",
        start: &[c"arp-input"],
        last: Some(c"error-drop"),
        features: &[(c"error-drop", None)],
    },
    VppArc {
        name: c"mpls-input",
        start: &[c"mpls-input"],
        last: Some(c"mpls-lookup"),
        features: &[(c"mpls-lookup", None)],
    },
    VppArc {
        name: c"mpls-output",
        start: &[c"mpls-output", c"mpls-midchain"],
        last: Some(c"interface-output"),
        features: &[(c"interface-output", None)],
    },
    VppArc { name: c"nsh-output", start: &[c"adj-nsh-midchain"], last: None, features: &[] },
    VppArc {
        name: c"port-rx-eth",
        start: &[c"port-rx-eth"],
        last: Some(c"ethernet-input"),
        features: &[(c"ethernet-input", None)],
    },
    VppArc { name: c"l2-input-ip4", start: &[c"l2-input-feat-arc"], last: None, features: &[] },
    VppArc { name: c"l2-output-ip4", start: &[c"l2-output-feat-arc"], last: None, features: &[] },
    VppArc { name: c"l2-input-ip6", start: &[c"l2-input-feat-arc"], last: None, features: &[] },
    VppArc { name: c"l2-output-ip6", start: &[c"l2-output-feat-arc"], last: None, features: &[] },
    VppArc { name: c"l2-input-nonip", start: &[c"l2-input-feat-arc"], last: None, features: &[] },
    VppArc { name: c"l2-output-nonip", start: &[c"l2-output-feat-arc"], last: None, features: &[] },
];
