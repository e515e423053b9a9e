// #[vlib_plugin(default_disabled, overrides = ["ping_plugin.so", "acl_plugin.so"], crate = vk::reexport)]
// #[cfg(feature = "plugin")]
// pub fn init(_vm: &mut MainBarrier) -> Result<()> {
//     Ok(())
// }
// becomes:

#[cfg(feature = "plugin")]
pub fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}
#[cfg(feature = "plugin")]
#[doc(hidden)]
#[macro_export]
macro_rules! __vppkit_one_plugin_per_crate {
    () => {};
}
#[cfg(feature = "plugin")]
const _: () = {
    fn __vppkit_init(
        vm: &mut vk::reexport::MainBarrier<'_>,
    ) -> vk::reexport::Result<()> {
        init(vm)
    }
    static __VPPKIT_PLUGIN: vk::reexport::__private::Plugin = vk::reexport::__private::Plugin::new(
        ::core::env!("CARGO_PKG_NAME"),
        __vppkit_init,
    );
    #[allow(unsafe_code)]
    #[used]
    #[unsafe(link_section = ".vlib_plugin_registration")]
    #[unsafe(export_name = "vlib_plugin_registration")]
    static __VPPKIT_REGISTRATION: vk::reexport::__private::PluginRegistration = vk::reexport::__private::PluginRegistration::new(
        ::core::env!("CARGO_PKG_VERSION"),
        vk::reexport::__private::c_str!(::core::env!("CARGO_PKG_DESCRIPTION")),
        true,
        "ping_plugin.so,acl_plugin.so",
    );
    #[allow(unsafe_code)]
    #[unsafe(export_name = "vppkit_early_init")]
    extern "C" fn __vppkit_early_init(
        vm: *mut ::core::ffi::c_void,
        _info: *mut ::core::ffi::c_void,
    ) -> *mut ::core::ffi::c_void {
        vk::reexport::__private::early_init(&__VPPKIT_PLUGIN, vm)
    }
    extern "C" fn __vppkit_load() {
        vk::reexport::__private::load(&__VPPKIT_PLUGIN)
    }
    extern "C" fn __vppkit_unload() {
        vk::reexport::__private::unload(&__VPPKIT_PLUGIN)
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
