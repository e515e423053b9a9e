//! VPP's packet generator: an interface, and streams of packets into it.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::cli::CliError;
use crate::process::Vpp;

/// How long streams may send nothing before they have ended.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Where packets of a stream come from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A pcap file, from its start again when it ends.
    Pcap(&'a Path),
    /// Packets as the packet generator describes them, like `UDP: 10.0.0.2 -> 10.9.9.9 UDP: 1 -> 2`, of this many bytes.
    Data(&'a str, u16),
}

/// A stream of packets.
#[derive(Clone, Copy, Debug)]
pub struct Stream<'a> {
    /// Its name, of letters and digits.
    pub name: &'a str,
    /// Its packets.
    pub source: Source<'a>,
    /// How many.
    pub packets: u64,
    /// The node that gets them.
    pub node: &'a str,
    /// The worker that sends them, from 0; of no meaning without workers.
    pub worker: u16,
}

impl Vpp {
    /// Makes the interface `pg0` with this Ethernet and IPv4 address, and brings it up.
    ///
    /// # Errors
    /// What VPP refuses.
    pub fn create_interface(&self, mac: &str, address: &str) -> Result<(), CliError> {
        self.cli("create packet-generator interface pg0")?;
        self.command(&format!("set interface mac address pg0 {mac}"))?;
        self.command(&format!("set interface ip address pg0 {address}"))?;
        self.command("set interface state pg0 up")
    }

    /// Adds a stream; [`run_streams`](Self::run_streams) sends it.
    ///
    /// # Errors
    /// What VPP refuses.
    pub fn add_stream(&self, stream: &Stream<'_>) -> Result<(), CliError> {
        let Stream { name, source, packets, node, worker } = stream;
        let head = format!(
            "packet-generator new {{ name {name} limit {packets} interface pg0 node {node} worker {worker}"
        );
        self.command(&match source {
            Source::Pcap(file) => format!("{head} pcap {} }}", file.display()),
            Source::Data(data, bytes) => {
                format!("{head} size {bytes}-{bytes} data {{ {data} incrementing 8 }} }}")
            }
        })
    }

    /// Sends all streams and waits until they have ended.
    ///
    /// # Errors
    /// If VPP does not answer or the streams do not end.
    pub fn run_streams(&self) -> Result<(), CliError> {
        self.command("packet-generator enable-stream")?;
        self.wait_for_streams()
    }

    /// Waits until no stream sends.
    ///
    /// # Errors
    /// If VPP does not answer or the streams do not end.
    pub fn wait_for_streams(&self) -> Result<(), CliError> {
        let (mut start, mut last) = (Instant::now(), String::new());
        loop {
            let text = self.cli("show packet-generator")?;
            if self.is_cancelled() {
                return Err(CliError::Interrupted);
            }
            if text != last {
                start = Instant::now();
            }
            let sending = text.lines().skip(1).any(|line| line.split_whitespace().nth(1) == Some("Yes"));
            if !sending {
                // What was sent last is still on its way through the graph.
                std::thread::sleep(Duration::from_millis(50));
                return Ok(());
            }
            if start.elapsed() > TIMEOUT {
                let answer = format!("streams send nothing for {} seconds:\n{text}", TIMEOUT.as_secs());
                return Err(CliError::Refused { command: "packet-generator enable-stream".into(), answer });
            }
            last = text;
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Removes a stream.
    ///
    /// # Errors
    /// What VPP refuses.
    pub fn remove_stream(&self, name: &str) -> Result<(), CliError> {
        self.command(&format!("packet-generator delete {name}"))
    }
}
