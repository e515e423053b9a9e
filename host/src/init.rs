//! Init functions, in the order that their constraints ask for (`vlib/init.c`).

use vppkit_sys::vlib::init::_vlib_init_function_list_elt_t;
use vppkit_sys::vlib::main::vlib_main_t;

use crate::error::GraphError;
use crate::features::names;
use crate::log::{c_text, error_text};
use crate::order;
use crate::state::state;

/// A stage of VPP's life.
#[derive(Clone, Copy)]
pub(crate) enum Stage {
    Init,
    MainLoopEnter,
    MainLoopExit,
}

/// The list of a stage.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn list(vm: *mut vlib_main_t, stage: Stage) -> *mut *mut _vlib_init_function_list_elt_t {
    // SAFETY: by contract; the offsets are the release's, and the stub has room for the largest.
    unsafe {
        let st = state(vm);
        let at = &st.release.vlib_global_main;
        let offset = match stage {
            Stage::Init => at.init_function_registrations,
            Stage::MainLoopEnter => at.main_loop_enter_function_registrations,
            Stage::MainLoopExit => at.main_loop_exit_function_registrations,
        };
        st.exports.global_main.cast::<u8>().add(offset).cast()
    }
}

/// Calls the functions of a stage.
///
/// # Safety
/// `vm` is the host's; the list holds functions of loaded plugins.
pub(crate) unsafe fn call(vm: *mut vlib_main_t, stage: Stage) -> Result<(), GraphError> {
    // SAFETY: by contract; no reference to the state lives while a function runs.
    unsafe {
        let mut functions = Vec::new();
        let mut at = *list(vm, stage);
        while let Some(f) = at.as_ref() {
            functions.push(at);
            at = f.next_init_function;
        }
        let called: Vec<String> = functions.iter().map(|f| c_text((**f).name)).collect();
        let find = |name: &String| called.iter().rposition(|c| c == name);
        let mut constraints = Vec::new();
        for (i, f) in functions.iter().enumerate() {
            // Functions that do not exist here are of VPP's own: they have run.
            for before in names((**f).runs_before) {
                constraints.extend(find(&before).map(|b| (i, b)));
            }
            for after in names((**f).runs_after) {
                constraints.extend(find(&after).map(|a| (a, i)));
            }
            let sequence: Vec<usize> = names((**f).init_order).iter().filter_map(find).collect();
            constraints.extend(sequence.windows(2).map(|w| (w[0], w[1])));
        }
        let order = order::sort(functions.len(), &constraints)
            .map_err(|stuck| GraphError::InitCycle(stuck.into_iter().map(|i| called[i].clone()).collect()))?;
        let mut done = Vec::new();
        for i in order {
            let Some(f) = (*functions[i]).f else { continue };
            // VPP calls a function once, however often it is listed.
            if done.contains(&(f as usize)) {
                continue;
            }
            done.push(f as usize);
            let error = f(vm);
            if !error.is_null() {
                return Err(GraphError::Init { function: called[i].clone(), what: error_text(error) });
            }
        }
        Ok(())
    }
}
