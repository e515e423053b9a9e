//! The development line of VPP 26.10.

use super::{
    ArcHeap, MarchVariant, Release, VlibBufferFuncMain, VlibGlobalMain, VnetConfigMain,
    VnetFeatureConfigMain, VnetFeatureMain,
};

pub(super) static RELEASE: Release = Release {
    name: "26.10-rc0",
    vlib_global_main: VlibGlobalMain {
        size: 256,
        cli_main: 64,
        node_registrations: 120,
        init_function_registrations: 152,
        main_loop_enter_function_registrations: 160,
        main_loop_exit_function_registrations: 168,
        worker_init_function_registrations: 176,
        num_workers_change_function_registrations: 184,
        api_init_function_registrations: 192,
        config_function_registrations: 200,
        init_functions_called: 208,
    },
    vnet_feature_main: VnetFeatureMain {
        size: 120,
        feature_nodes: 72,
        sw_if_index_has_features: 80,
        feature_count_by_sw_if_index: 88,
        device_input_feature_arc_index: 96,
        vlib_main: 104,
        vnet_main: 112,
    },
    vnet_feature_config_main: VnetFeatureConfigMain { size: 88, config_index_by_sw_if_index: 80 },
    vnet_config_main: VnetConfigMain {
        size: 80,
        start_node_indices: 32,
        end_node_indices_by_user_index: 40,
        default_end_node_index: 48,
        node_index_by_feature_index: 56,
        config_pool_index_by_user_index: 64,
        config_string_temp: 72,
    },
    vlib_buffer_func_main: VlibBufferFuncMain {
        size: 72,
        buffer_enqueue_to_thread_fn: 48,
        buffer_enqueue_to_thread_with_aux_fn: 64,
    },
    arc_heap: ArcHeap::Shared { heap_offset: 64 },
    config_heap_pointer: Some(24),
    vlib_main_size: 1472,
    march_variants: &[
        MarchVariant { suffix: "default", index: 0 },
        MarchVariant { suffix: "scalar", index: 1 },
        MarchVariant { suffix: "x86_64_v3", index: 2 },
        MarchVariant { suffix: "x86_64_v4", index: 3 },
    ],
};
