//! What a test says: which VPP, which plugins, which packets.

use std::cell::Cell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use vppkit_sys::release;

use crate::error::HostError;
use crate::loader::Linked;
use crate::nodes::pg_input::OnProgress;
use crate::nodes::sink::{OnPacket, Packet};
use crate::packets::Packets;
use crate::report::Report;
use crate::session;

/// A release of VPP that the host imitates.
#[derive(Clone, Copy)]
pub struct Release(pub(crate) &'static release::Release);

impl Release {
    /// The release with a name like `26.06`.
    pub fn find(name: &str) -> Result<Self, HostError> {
        release::find(name).map(Self).map_err(|_| {
            let names: Vec<&str> = release::SUPPORTED.iter().map(|r| r.name).collect();
            HostError::UnknownRelease(format!(
                "VPP {name} is not supported; this host imitates {}",
                names.join(", ")
            ))
        })
    }

    /// All releases, oldest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        release::SUPPORTED.into_iter().map(Self)
    }

    /// Its name, like `26.06`.
    pub fn name(self) -> &'static str {
        self.0.name
    }
}

impl AsRef<str> for Release {
    fn as_ref(&self) -> &str {
        self.name()
    }
}

/// The names of all releases that a host can imitate, oldest first.
pub fn releases() -> impl DoubleEndedIterator<Item = &'static str> {
    Release::all().map(Release::name)
}

impl Default for Release {
    /// The newest.
    fn default() -> Self {
        Self(release::SUPPORTED[release::SUPPORTED.len() - 1])
    }
}

impl fmt::Debug for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Release").field(&self.0.name).finish()
    }
}

/// Whether nodes are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanitizer {
    /// Every buffer is tracked; a broken rule fails the run.
    On,
    /// Nothing is checked, for benchmarks.
    Off,
}

/// A plugin to load.
pub(crate) enum Plugin {
    File(PathBuf),
    Linked(Linked),
}

/// A graph to be built and run. See the crate's page for an example.
pub struct Host {
    pub(crate) release: String,
    pub(crate) plugins: Vec<Plugin>,
    pub(crate) jobs: Vec<(Option<String>, Packets)>,
    pub(crate) enable: Vec<(String, String)>,
    pub(crate) auto_enable: bool,
    pub(crate) trace: u32,
    pub(crate) sanitizer: Sanitizer,
    pub(crate) keep: usize,
    pub(crate) buffers: usize,
    pub(crate) data_size: usize,
    pub(crate) variant: Option<String>,
    pub(crate) loops: u64,
    pub(crate) on_packet: Option<OnPacket>,
    pub(crate) on_progress: Option<OnProgress>,
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("release", &self.release)
            .field("trace", &self.trace)
            .field("sanitizer", &self.sanitizer)
            .finish_non_exhaustive()
    }
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl Host {
    /// The newest release, no plugins, no packets.
    pub fn new() -> Self {
        Self {
            release: Release::default().name().into(),
            plugins: Vec::new(),
            jobs: Vec::new(),
            enable: Vec::new(),
            auto_enable: true,
            trace: 0,
            sanitizer: Sanitizer::On,
            keep: usize::MAX,
            buffers: 16_384,
            data_size: 2048,
            variant: None,
            loops: 0,
            on_packet: None,
            on_progress: None,
        }
    }

    /// Which release to imitate: a [`Release`], or its name like `25.10`. A name that is not known makes
    /// [`Host::run`] fail.
    pub fn vpp(mut self, release: impl AsRef<str>) -> Self {
        self.release = release.as_ref().into();
        self
    }

    /// Loads a plugin's `.so`. May be called for several.
    pub fn plugin(mut self, path: impl AsRef<Path>) -> Self {
        self.plugins.push(Plugin::File(path.as_ref().into()));
        self
    }

    /// A plugin that is linked into this program. `register` does what its constructor does when VPP loads
    /// it, `withdraw` what its destructor does; both find VPP's symbols in the process, and while they run the
    /// variable `vppkit_host_loading`, an `int`, is 1.
    pub fn linked_plugin(
        mut self,
        name: impl Into<String>,
        register: fn() -> Result<(), String>,
        withdraw: fn(),
    ) -> Self {
        self.plugins.push(Plugin::Linked(Linked { name: name.into(), register, withdraw }));
        self
    }

    /// Puts packets onto the interface.
    pub fn inject(mut self, packets: Packets) -> Self {
        self.jobs.push((None, packets));
        self
    }

    /// Gives packets straight to one node, as if the node before had put them into a frame. If the node is a
    /// feature, they are on its arc. A node that expects an IP header gets one from Ethernet frames with
    /// [`Packets::past_ethernet`].
    pub fn inject_at(mut self, node: impl Into<String>, packets: Packets) -> Self {
        self.jobs.push((Some(node.into()), packets));
        self
    }

    /// Enables a feature on the interface. Without [`Host::no_auto_enable`], those of the plugins are enabled
    /// anyway.
    pub fn enable_feature(mut self, arc: impl Into<String>, node: impl Into<String>) -> Self {
        self.enable.push((arc.into(), node.into()));
        self
    }

    /// Enables only the features that [`Host::enable_feature`] names.
    pub fn no_auto_enable(mut self) -> Self {
        self.auto_enable = false;
        self
    }

    /// Traces the first `packets` packets.
    pub fn trace(mut self, packets: u32) -> Self {
        self.trace = packets;
        self
    }

    /// Whether nodes are watched. They are unless told otherwise.
    pub fn sanitizer(mut self, sanitizer: Sanitizer) -> Self {
        self.sanitizer = sanitizer;
        self
    }

    /// Keeps at most `packets` packets that arrive at sinks for the report; all unless told otherwise. They
    /// are counted in any case.
    pub fn keep_packets(mut self, packets: usize) -> Self {
        self.keep = packets;
        self
    }

    /// Calls a function for each packet that arrives at a sink, as it arrives. An error ends the run.
    pub fn on_packet(mut self, f: impl FnMut(&Packet) -> std::io::Result<()> + 'static) -> Self {
        self.on_packet = Some(Box::new(f));
        self
    }

    /// Calls a function now and then with the number of bytes read and, if known, how many there are.
    pub fn on_progress(mut self, f: impl FnMut(u64, Option<u64>) + 'static) -> Self {
        self.on_progress = Some(Box::new(f));
        self
    }

    /// How many buffers there are; 16,384 unless told otherwise.
    pub fn buffers(mut self, buffers: usize) -> Self {
        self.buffers = buffers.clamp(512, 1 << 20);
        self
    }

    /// Bytes of data in a buffer; 2048 unless told otherwise. Longer packets take several.
    pub fn buffer_data_size(mut self, bytes: usize) -> Self {
        self.data_size = bytes.clamp(128, 16_384).next_multiple_of(64);
        self
    }

    /// Makes nodes use their functions for one instruction-set variant, as VPP's `node { default variant }`
    /// does. Nodes that have none keep what VPP chooses.
    pub fn march_variant(mut self, name: impl Into<String>) -> Self {
        self.variant = Some(name.into());
        self
    }

    /// Runs the main loop at least that often, for input nodes of plugins. It always runs until the packets
    /// are used up and a turn has handled none.
    pub fn loops(mut self, loops: u64) -> Self {
        self.loops = loops;
        self
    }

    /// Loads the plugins, builds the graph, and runs all packets through it.
    pub fn run(self) -> Result<Report, HostError> {
        thread_local! {
            static RUNNING: Cell<bool> = const { Cell::new(false) };
        }
        static LOCK: Mutex<()> = Mutex::new(());

        struct Running;
        impl Drop for Running {
            fn drop(&mut self) {
                RUNNING.set(false);
            }
        }

        if RUNNING.replace(true) {
            return Err(HostError::AlreadyRunning);
        }
        let _running = Running;
        let _lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        session::run(self)
    }
}

/// The `.so` of a plugin crate that cargo has built beside the running test.
pub fn built_plugin(name: &str) -> Result<PathBuf, HostError> {
    let file = format!("lib{}.so", name.replace('-', "_"));
    let exe = std::env::current_exe()
        .map_err(|e| HostError::NotBuilt(format!("this program does not know where it is: {e}")))?;
    let directory = exe.parent().unwrap_or(Path::new("."));
    // Tests and examples are one folder below what `cargo build` makes.
    let places =
        [directory.to_path_buf(), directory.join(".."), directory.join("../deps"), directory.join("deps")];
    let newest = places
        .iter()
        .map(|place| place.join(&file))
        .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
        .max_by_key(|(time, _)| *time);
    match newest {
        Some((_, path)) => Ok(path),
        None => Err(HostError::NotBuilt(format!(
            "{file} was not built in {}; the plugin's crate-type must have cdylib, and the test must be in the plugin's package or the plugin must be built before",
            directory.parent().unwrap_or(directory).display()
        ))),
    }
}
