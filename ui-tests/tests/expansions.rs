//! The goldens of the macro crate are code: they compile where the macro was.

#![allow(dead_code, reason = "these are pieces of plugins")]

macro_rules! golden {
    ($file:literal) => {
        include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../macros/tests/output/", $file));
    };
}

mod plugin {
    use vppkit::prelude::*;

    golden!("plugin.rs");
}

mod node {
    use vppkit::prelude::*;

    #[derive(NextNodes)]
    enum Next {
        #[next_node("ip4-lookup")]
        Lookup,
    }

    golden!("node.rs");
}

mod node_on_arcs {
    use vppkit as vk;
    use vppkit::prelude::*;

    /// Where it sends packets.
    #[derive(NextNodes)]
    pub enum Next {
        /// On.
        #[next_node("ip4-lookup")]
        Lookup,
    }

    /// Why it drops them.
    #[derive(NodeErrors)]
    pub enum Error {
        /// packets that are too short
        Short,
    }

    /// What it traces.
    #[derive(Trace, Clone, Copy)]
    #[trace("{length} bytes")]
    pub struct Seen {
        length: u16,
    }

    golden!("node_on_arcs.rs");
}

mod next_nodes {
    enum Next {
        Lookup,
        Output,
    }

    golden!("next_nodes.rs");
}

mod node_errors {
    enum Error {
        Icmp,
        TooShort,
        NoFIB,
    }

    golden!("node_errors.rs");
}

mod trace {
    use std::net::Ipv4Addr;

    #[derive(Clone, Copy)]
    struct Seen {
        source: Ipv4Addr,
        destination: Ipv4Addr,
        protocol: u8,
        hidden: [u8; 4],
    }

    golden!("trace.rs");

    #[test]
    fn prints_its_fields() {
        let [source, destination] = [Ipv4Addr::LOCALHOST, Ipv4Addr::BROADCAST];
        let seen = Seen { source, destination, protocol: 17, hidden: [0; 4] };
        assert_eq!(seen.to_string(), "127.0.0.1 -> 255.255.255.255 {protocol 0x11}");
    }
}

mod trace_tuple {
    use vppkit as vk;

    #[derive(Clone, Copy)]
    struct Seen(u8, u16);

    golden!("trace_tuple.rs");

    #[test]
    fn prints_the_field_of_that_number() {
        assert_eq!(Seen(1, 2).to_string(), "length 2");
    }
}

mod trace_plain {
    #[derive(Clone, Copy)]
    struct Seen {
        length: u16,
    }

    impl std::fmt::Display for Seen {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{}", self.length)
        }
    }

    golden!("trace_plain.rs");
}
