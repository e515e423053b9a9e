//! One run, from an empty VPP to the report.

use std::collections::HashMap;
use std::ffi::CString;
use std::time::Instant;

use vppkit_sys::vlib::cli::vlib_cli_main_t;
use vppkit_sys::vlib::frame::vlib_frame_t;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{VLIB_NODE_TYPE_INTERNAL, VLIB_NODE_TYPE_PROCESS, vlib_node_registration_t};

use crate::buffers::{CANARY_BYTES, Pool};
use crate::error::{GraphError, HostError};
use crate::exports::{self, Exports};
use crate::features::VppFeatures;
use crate::frames::{Shape, enqueue_to_next, enqueue_to_single_next};
use crate::host::{Host, Plugin, Sanitizer};
use crate::init::Stage;
use crate::loader::Loaded;
use crate::log::c_text;
use crate::nodes::INTERFACE;
use crate::nodes::pg_input::{Input, Job};
use crate::nodes::sink::Sinks;
use crate::report::{self, Report};
use crate::sanitize::{self, Faults, Ledger, Violation, ViolationKind};
use crate::state::{NO_NODE, Outcomes, State, Thread, node, state};
use crate::vm::{Frame, Vm};
use crate::{clock, dispatch, features, graph, init, log, march, nodes, suggest, trace, vec};

/// Turns of the main loop without packets of the input after which an input node is taken for endless.
const MAX_IDLE_LOOPS: u64 = 10_000;

/// A VPP that is set up. Dropping it unloads the plugins and frees everything.
struct Session {
    thread: *mut Thread,
    exports: &'static Exports,
    vpp: VppFeatures,
    loaded: Vec<Loaded>,
    /// The plugin of each registration of a node.
    owners: HashMap<*mut vlib_node_registration_t, String>,
    version: CString,
    /// What the variants' names point to.
    _strings: Vec<CString>,
    directory: tempfile::TempDir,
}

/// Runs a host that has the process for itself.
pub(crate) fn run(mut host: Host) -> Result<Report, HostError> {
    let exports = exports::get().map_err(|e| HostError::Exports(e.into()))?;
    let mut session = Session::new(&mut host, exports)?;
    // SAFETY: the session's thread lives as long as it.
    unsafe {
        session.load(std::mem::take(&mut host.plugins))?;
        session.build(&host)?;
        let vm = session.vm();
        for (at, packets) in std::mem::take(&mut host.jobs) {
            let at = at.map(|name| find_node(vm, &name)).transpose()?;
            state(vm).input.jobs.push_back(Job { packets, at });
        }
        init::call(vm, Stage::MainLoopEnter).map_err(HostError::Graph)?;
        let (start, loops) = (Instant::now(), main_loop(vm, host.loops));
        let seconds = start.elapsed().as_secs_f64();
        let exit = init::call(vm, Stage::MainLoopExit);
        sanitize::finish(Vm::new(vm));
        let mut report = report::collect(vm, seconds, loops);
        let fatal = state(vm).fatal.take();
        let capture = state(vm).input.error.take();
        let output = state(vm).sinks.error.take();
        report.violations.extend(session.close());
        report.log = log::take();
        exit.map_err(HostError::Graph)?;
        if let Some(error) = output {
            return Err(HostError::Output(error));
        }
        if let Some(error) = fatal {
            return Err(error);
        }
        if !report.violations.is_empty() {
            return Err(HostError::Violations { report: Box::new(report) });
        }
        if let Some(error) = capture {
            return Err(HostError::Capture { error, report: Some(Box::new(report)) });
        }
        Ok(report)
    }
}

/// Runs until the packets are used up and nothing moves. Tells how many turns that took.
///
/// # Safety
/// `vm` is the host's, its graph is connected, and its plugins are loaded.
unsafe fn main_loop(vm: *mut vlib_main_t, at_least: u64) -> u64 {
    let mut loops = 0;
    let mut idle = 0;
    // SAFETY: the graph is connected and the plugins are loaded.
    unsafe {
        (*vm).cpu_time_main_loop_start = clock::now();
        loop {
            let handled = dispatch::main_loop_once(Vm::new(vm));
            loops += 1;
            let mut st = state(vm);
            if st.fatal.is_some() || st.sinks.error.is_some() {
                st.input.jobs.clear();
            }
            if !st.input.is_empty() {
                continue;
            }
            if handled == 0 && loops >= at_least {
                return loops;
            }
            idle += 1;
            if idle >= MAX_IDLE_LOOPS.max(at_least) {
                st.warnings.push(format!(
                    "an input node still makes packets after {idle} turns of the main loop; the run was ended"
                ));
                return loops;
            }
        }
    }
}

/// The node that packets are to be given to.
///
/// # Safety
/// `vm` is the host's.
unsafe fn find_node(vm: *mut vlib_main_t, name: &str) -> Result<u32, HostError> {
    // SAFETY: as for `main_loop`.
    let st = unsafe { state(vm) };
    let index = st.by_name.get(name).copied();
    // SAFETY: as above.
    match index.filter(|&i| unsafe { (*node(vm, i)).r#type } == VLIB_NODE_TYPE_INTERNAL) {
        Some(index) => Ok(index),
        None if index.is_some() => Err(HostError::NoSuchNode {
            name: name.into(),
            hint: " that takes packets; it is an input or a process".into(),
        }),
        None => Err(HostError::NoSuchNode { name: name.into(), hint: suggest::hint(name, st.names()) }),
    }
}

impl Session {
    fn new(host: &mut Host, exports: &'static Exports) -> Result<Self, HostError> {
        let release = crate::host::Release::find(&host.release)?.0;
        let version = CString::new(format!("{}-release", release.name)).unwrap_or_default();
        let directory = tempfile::Builder::new()
            .prefix("vppkit-host-")
            .tempdir()
            .map_err(|e| HostError::Exports(format!("no temporary folder: {e}")))?;
        log::reset();
        // SAFETY: the caller holds the lock and no plugin is loaded.
        unsafe {
            exports.reset();
            *exports.app_version = version.as_ptr();
        }
        let watched = host.sanitizer == Sanitizer::On;
        let pool = Pool::new(host.buffers, host.data_size, if watched { CANARY_BYTES } else { 0 });
        let shape = Shape::new(0, 4, 0);
        let stray = vec::zeroed(shape.size).cast::<vlib_frame_t>();
        // SAFETY: the frame has the size of its shape.
        let stray = unsafe {
            (*stray).vector_offset = shape.vector_offset as u16;
            Frame::new(stray)
        };
        let thread = Thread::new(State {
            release,
            exports,
            nodes: Vec::new(),
            by_name: HashMap::new(),
            frames: vec![stray],
            stray,
            ledger: watched.then(|| Ledger::new(pool.count)),
            pool,
            faults: Faults::default(),
            warnings: Vec::new(),
            arcs: Vec::new(),
            current: NO_NODE,
            input: Input {
                trace: host.trace as usize,
                on_progress: host.on_progress.take(),
                ..Input::default()
            },
            sinks: Sinks {
                nodes: Vec::new(),
                keep: host.keep,
                packets: Vec::new(),
                on_packet: host.on_packet.take(),
                error: None,
            },
            outcomes: Outcomes::default(),
            fatal: None,
            trace_scratch: Vec::new(),
            drop_errors: Vec::new(),
        });
        // SAFETY: the thread is fresh; the functions are those that VPP puts there.
        let (vpp, strings) = unsafe {
            let vm = thread.cast::<vlib_main_t>();
            let bm = state(vm).pool.main;
            (*vm).buffer_main = bm;
            if watched {
                (*bm).alloc_callback_fn = sanitize::alloc_callback as *mut _;
                (*bm).free_callback_fn = sanitize::free_callback as *mut _;
            }
            let funcs = exports.buffer_func_main;
            (*funcs).buffer_enqueue_to_next_fn = Some(enqueue_to_next);
            (*funcs).buffer_enqueue_to_single_next_fn = Some(enqueue_to_single_next);
            vec::push(&raw mut (*exports.global_main).vlib_mains, vm);
            let now = clock::now();
            let time = &raw mut (*vm).clib_time;
            (*time).clocks_per_second = clock::per_second();
            (*time).seconds_per_clock = 1.0 / clock::per_second();
            (*time).init_cpu_time = now;
            (*time).last_cpu_time = now;
            (*time).last_verify_cpu_time = now;
            // The clock's rate is not measured again.
            (*time).log2_clocks_per_frequency_verify = 62;
            (*vm).random_seed = now as usize;
            trace::enable(vm, host.trace > 0);
            (VppFeatures::register(exports), march::register(vm, release))
        };
        Ok(Self {
            thread,
            exports,
            vpp,
            loaded: Vec::new(),
            owners: HashMap::new(),
            version,
            _strings: strings,
            directory,
        })
    }

    fn vm(&self) -> *mut vlib_main_t {
        self.thread.cast()
    }

    /// The head of the list of nodes that plugins registered.
    fn registrations(&self) -> *mut *mut vlib_node_registration_t {
        // SAFETY: the stub has room for the largest release.
        unsafe {
            let offset = state(self.vm()).release.vlib_global_main.node_registrations;
            self.exports.global_main.cast::<u8>().add(offset).cast()
        }
    }

    /// All registrations of nodes, in the order of VPP's list.
    ///
    /// # Safety
    /// The plugins that are on the list are loaded.
    unsafe fn nodes_on_list(&self) -> Vec<*mut vlib_node_registration_t> {
        let mut all = Vec::new();
        // SAFETY: the list holds registrations of loaded plugins.
        unsafe {
            let mut at = *self.registrations();
            while !at.is_null() {
                all.push(at);
                at = (*at).next_registration;
            }
        }
        all
    }

    /// Loads the plugins in their order.
    ///
    /// # Safety
    /// The process is set up for the release; plugins do in their constructors what VPP lets them do.
    unsafe fn load(&mut self, plugins: Vec<Plugin>) -> Result<(), HostError> {
        let version = self.version.to_string_lossy().into_owned();
        for plugin in plugins {
            let vm = self.vm();
            let name = match &plugin {
                Plugin::File(path) => {
                    path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
                }
                Plugin::Linked(linked) => linked.name.clone(),
            };
            let result = match plugin {
                // SAFETY: the process is set up for the release.
                Plugin::File(path) => unsafe {
                    Loaded::file(vm, &path, name.clone(), self.directory.path(), &version)
                        .map_err(|reason| (path.display().to_string(), reason))
                },
                Plugin::Linked(linked) => {
                    Loaded::linked(self.exports, linked).map_err(|reason| (name.clone(), reason))
                }
            };
            let loaded = result.map_err(|(plugin, reason)| HostError::Plugin { plugin, reason })?;
            self.loaded.push(loaded);
            // SAFETY: as above.
            for registration in unsafe { self.nodes_on_list() } {
                self.owners.entry(registration).or_insert_with(|| name.clone());
            }
        }
        Ok(())
    }

    /// Registers all nodes, connects them, and initialises features and plugins.
    ///
    /// # Safety
    /// The plugins that are on VPP's lists are loaded.
    unsafe fn build(&mut self, host: &Host) -> Result<(), HostError> {
        let vm = self.vm();
        // SAFETY: the lists hold what loaded plugins registered.
        unsafe {
            if let Some(variant) = &host.variant {
                force_variant(vm, variant)?;
            }
            nodes::register(vm)?;
            for registration in self.nodes_on_list() {
                let owner = self.owners.get(&registration).cloned().unwrap_or_default();
                let index = graph::register_plugin_node(vm, registration, &owner)?;
                if (*registration).r#type == VLIB_NODE_TYPE_PROCESS {
                    let mut st = state(vm);
                    let warning =
                        format!("`{}` is a process; this host does not run processes", st.name(index));
                    st.warnings.push(warning);
                }
            }
            graph::connect(vm)?;
            nodes::drop::cache_texts(vm);
            features::init(vm, &self.vpp)?;
            init::call(vm, Stage::Init)?;
            enable_features(vm, host)?;
        }
        Ok(())
    }

    /// Unloads the plugins and reports what they left behind.
    ///
    /// # Safety
    /// Nothing of the plugins runs, and their strings are not used any more.
    unsafe fn close(&mut self) -> Vec<Violation> {
        let mut violations = Vec::new();
        let mut stuck = false;
        let names: Vec<String> = self.loaded.iter().map(|l| l.name().to_owned()).collect();
        while let Some(plugin) = self.loaded.pop() {
            stuck |= !plugin.unload(self.exports);
        }
        if stuck || names.is_empty() {
            return violations;
        }
        let mut left = |what: &str| {
            violations.push(Violation {
                kind: ViolationKind::LeftBehind,
                node: names.join("`, `"),
                message: format!("was unloaded and left {what} in VPP's list; VPP crashes when it walks it"),
                count: 1,
            });
        };
        // SAFETY: only the pointers are read. A record that is not VPP's own belongs to a plugin that is
        // gone, and is not looked into.
        unsafe {
            if !(*self.registrations()).is_null() {
                left("a node");
            }
            let fm = self.exports.feature_main;
            let mut arc = (*fm).next_arc;
            while self.vpp.has_arc(arc) {
                arc = (*arc).next;
            }
            if !arc.is_null() {
                left("a feature arc");
            }
            let mut feature = (*fm).next_feature;
            while self.vpp.has_feature(feature) {
                feature = (*feature).next;
            }
            if !feature.is_null() {
                left("a feature");
            }
            let stages = [
                (Stage::Init, "an init function"),
                (Stage::MainLoopEnter, "a main-loop-enter function"),
                (Stage::MainLoopExit, "a main-loop-exit function"),
            ];
            for (stage, what) in stages {
                if !(*init::list(self.vm(), stage)).is_null() {
                    left(what);
                }
            }
            let offset = state(self.vm()).release.vlib_global_main.cli_main;
            let cli = self.exports.global_main.cast::<u8>().add(offset).cast::<vlib_cli_main_t>();
            if !(*cli).cli_command_registrations.is_null() {
                left("a CLI command");
            }
        }
        violations
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Plugins first: their destructors use VPP's lists.
        while let Some(plugin) = self.loaded.pop() {
            plugin.unload(self.exports);
        }
        // SAFETY: nothing runs any more. A library that stays loaded finds empty lists when it goes.
        unsafe {
            let vm = self.vm();
            trace::destroy(vm);
            features::destroy(vm);
            graph::destroy(vm);
            vec::free(&raw mut (*self.exports.global_main).vlib_mains);
            drop(Box::from_raw((*self.thread).state));
            vec::release(self.thread.cast());
            self.exports.reset();
        }
    }
}

/// Makes one variant the default.
///
/// # Safety
/// `vm` is the host's, its variants are registered.
unsafe fn force_variant(vm: *mut vlib_main_t, name: &str) -> Result<(), HostError> {
    // SAFETY: as for `Session::build`.
    unsafe {
        let nm = &raw mut (*vm).node_main;
        let variants = vec::slice((*nm).variants);
        let names: Vec<String> = variants.iter().map(|v| c_text(v.suffix)).collect();
        let refuse = |what: String| {
            HostError::Graph(GraphError::Registration { node: format!("march variant {name}"), what })
        };
        let Some(at) = names.iter().position(|n| n == name) else {
            return Err(refuse(format!("VPP {} has {}", state(vm).release.name, names.join(", "))));
        };
        if variants[at].priority < 0 {
            return Err(refuse("this CPU cannot run it".into()));
        }
        (*nm).node_fn_default_march_variant = variants[at].index;
    }
    Ok(())
}

/// Enables the features that the test names and, unless told otherwise, those of plugins.
///
/// # Safety
/// As for [`Session::build`], which has initialised the arcs.
unsafe fn enable_features(vm: *mut vlib_main_t, host: &Host) -> Result<(), HostError> {
    // SAFETY: as for `Session::build`.
    unsafe {
        let mut chosen = Vec::new();
        for (arc, feature) in &host.enable {
            chosen.push(features::find(&state(vm).arcs, arc, feature)?);
        }
        let mut guard = state(vm);
        let st = &mut *guard;
        for (a, arc) in st.arcs.iter().enumerate() {
            for (f, feature) in arc.features.iter().enumerate().filter(|(_, f)| f.is_plugin) {
                if !arc.runs {
                    st.warnings.push(format!(
                        "feature `{}` is on arc `{}`, which packets do not reach in this host",
                        feature.node, arc.name
                    ));
                } else if host.auto_enable
                    && !chosen.contains(&(a, f))
                    && st.by_name.contains_key(&feature.node)
                {
                    chosen.push((a, f));
                }
            }
        }
        drop(guard);
        for (a, f) in chosen {
            if !features::is_enabled(vm, a, f, INTERFACE) {
                features::enable_by_command(vm, a, f, INTERFACE)?;
            }
        }
    }
    Ok(())
}
