//! The variable that tells plugins in the same program that the host waits for them to register.

mod common;

use std::cell::RefCell;
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use common::{feature, host, node, symbol, udp};
use vppkit_host::Host;

thread_local! {
    static SEEN: RefCell<Vec<(&'static str, c_int)>> = const { RefCell::new(Vec::new()) };
}

fn marker() -> c_int {
    // SAFETY: the host's variable, which changes on the thread that runs a host.
    unsafe { *symbol::<c_int>(c"vppkit_host_loading") }
}

fn see(moment: &'static str) {
    SEEN.with_borrow_mut(|seen| seen.push((moment, marker())));
}

// One test: hosts of other tests would set the variable meanwhile.
#[test]
fn it_is_set_only_while_plugins_register_and_withdraw() {
    // The first host brings the symbol.
    Host::new().run().unwrap();
    assert_eq!(marker(), 0);

    let nodes = vec![node("a-node", &["ip4-lookup"], |c| {
        see("node");
        c.next_feature();
    })];
    host(nodes, vec![feature("ip4-unicast", "a-node", &[], &[])])
        .linked_plugin(
            "watcher",
            || {
                see("register");
                Ok(())
            },
            || see("withdraw"),
        )
        .on_packet(|_| {
            see("packet");
            Ok(())
        })
        .inject(udp(1))
        .run()
        .unwrap();
    assert_eq!(SEEN.take(), [("register", 1), ("node", 0), ("packet", 0), ("withdraw", 1)]);
    assert_eq!(marker(), 0);

    Host::new().linked_plugin("refuses", || Err("no".into()), || ()).run().unwrap_err();
    assert_eq!(marker(), 0);
    catch_unwind(AssertUnwindSafe(|| {
        let _ = Host::new().linked_plugin("panics", || panic!("on purpose"), || ()).run();
    }))
    .unwrap_err();
    assert_eq!(marker(), 0);
}
