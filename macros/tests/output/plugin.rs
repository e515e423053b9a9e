// #[vlib_plugin(description = "Drop ICMP")]
// fn init(_vm: &mut MainBarrier) -> Result<()> {
//     Ok(())
// }
// becomes:

fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}
#[doc(hidden)]
#[macro_export]
macro_rules! __vppkit_one_plugin_per_crate {
    () => {};
}
const _: () = {
    fn __vppkit_init(vm: &mut ::vppkit::MainBarrier<'_>) -> ::vppkit::Result<()> {
        init(vm)
    }
    static __VPPKIT_PLUGIN: ::vppkit::__private::Plugin = ::vppkit::__private::Plugin::new(
        ::core::env!("CARGO_PKG_NAME"),
        __vppkit_init,
    );
    #[allow(unsafe_code)]
    #[used]
    #[unsafe(link_section = ".vlib_plugin_registration")]
    #[unsafe(export_name = "vlib_plugin_registration")]
    static __VPPKIT_REGISTRATION: ::vppkit::__private::PluginRegistration = ::vppkit::__private::PluginRegistration::new(
        ::core::env!("CARGO_PKG_VERSION"),
        ::vppkit::__private::c_str!("Drop ICMP"),
        false,
        "",
    );
    #[allow(unsafe_code)]
    #[unsafe(export_name = "vppkit_early_init")]
    extern "C" fn __vppkit_early_init(
        vm: *mut ::core::ffi::c_void,
        _info: *mut ::core::ffi::c_void,
    ) -> *mut ::core::ffi::c_void {
        ::vppkit::__private::early_init(&__VPPKIT_PLUGIN, vm)
    }
    extern "C" fn __vppkit_load() {
        ::vppkit::__private::load(&__VPPKIT_PLUGIN)
    }
    extern "C" fn __vppkit_unload() {
        ::vppkit::__private::unload(&__VPPKIT_PLUGIN)
    }
    #[allow(unsafe_code)]
    #[used]
    #[unsafe(link_section = ".init_array")]
    static __VPPKIT_LOAD: extern "C" fn() = __vppkit_load;
    #[allow(unsafe_code)]
    #[used]
    #[unsafe(link_section = ".fini_array")]
    static __VPPKIT_UNLOAD: extern "C" fn() = __vppkit_unload;
    #[cfg(not(panic = "unwind"))]
    ::core::compile_error!(
        "vppkit contains a node's panic by unwinding: remove `panic = \"abort\"` from the profile"
    );
};
