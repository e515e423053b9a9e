// #[derive(NodeErrors)]
// enum Error {
//     /// ICMP packets dropped
//     #[error(severity = info)]
//     Icmp,
//     /// packets that are
//     /// too short
//     TooShort,
//     /// packets without a route
//     #[error(name = "no-fib", severity = warn)]
//     NoFIB,
// }
// becomes:

#[automatically_derived]
impl ::vppkit::NodeErrors for Error {
    const COUNTERS: &'static [::vppkit::ErrorCounter] = &[
        ::vppkit::ErrorCounter::new(
            c"icmp",
            c"ICMP packets dropped",
            ::vppkit::Severity::Info,
        ),
        ::vppkit::ErrorCounter::new(
            c"too_short",
            c"packets that are too short",
            ::vppkit::Severity::Error,
        ),
        ::vppkit::ErrorCounter::new(
            c"no-fib",
            c"packets without a route",
            ::vppkit::Severity::Warn,
        ),
    ];
    #[inline(always)]
    fn code(self) -> ::core::primitive::u16 {
        match self {
            Self::Icmp => 0,
            Self::TooShort => 1,
            Self::NoFIB => 2,
        }
    }
}
