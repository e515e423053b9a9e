//! VPP 26.02.

use super::{
    ArcHeap, MarchVariant, Release, VlibBufferFuncMain, VlibGlobalMain, VnetConfigMain,
    VnetFeatureConfigMain, VnetFeatureMain,
};

pub(super) static RELEASE: Release = Release {
    name: "26.02",
    vlib_global_main: VlibGlobalMain {
        size: 256,
        cli_main: 56,
        node_registrations: 112,
        init_function_registrations: 144,
        main_loop_enter_function_registrations: 152,
        main_loop_exit_function_registrations: 160,
        worker_init_function_registrations: 168,
        num_workers_change_function_registrations: 176,
        api_init_function_registrations: 184,
        config_function_registrations: 192,
        init_functions_called: 200,
    },
    vnet_feature_main: VnetFeatureMain {
        size: 112,
        feature_nodes: 64,
        sw_if_index_has_features: 72,
        feature_count_by_sw_if_index: 80,
        device_input_feature_arc_index: 88,
        vlib_main: 96,
        vnet_main: 104,
    },
    vnet_feature_config_main: VnetFeatureConfigMain { size: 80, config_index_by_sw_if_index: 72 },
    vnet_config_main: VnetConfigMain {
        size: 72,
        start_node_indices: 24,
        end_node_indices_by_user_index: 32,
        default_end_node_index: 40,
        node_index_by_feature_index: 48,
        config_pool_index_by_user_index: 56,
        config_string_temp: 64,
    },
    vlib_buffer_func_main: VlibBufferFuncMain {
        size: 48,
        buffer_enqueue_to_thread_fn: 32,
        buffer_enqueue_to_thread_with_aux_fn: 40,
    },
    arc_heap: ArcHeap::PerArc { arc_index_offset: 14 },
    config_heap_pointer: None,
    vlib_main_size: 1408,
    march_variants: &[
        MarchVariant { suffix: "default", index: 0 },
        MarchVariant { suffix: "scalar", index: 1 },
        MarchVariant { suffix: "hsw", index: 2 },
        MarchVariant { suffix: "trm", index: 3 },
        MarchVariant { suffix: "skx", index: 4 },
        MarchVariant { suffix: "icl", index: 5 },
        MarchVariant { suffix: "adl", index: 6 },
        MarchVariant { suffix: "spr", index: 7 },
        MarchVariant { suffix: "znver3", index: 8 },
        MarchVariant { suffix: "znver4", index: 9 },
        MarchVariant { suffix: "znver5", index: 10 },
    ],
};
