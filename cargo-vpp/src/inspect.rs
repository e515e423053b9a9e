//! `cargo vpp inspect`: what a plugin holds.
//!
//! The file says who the plugin is and what it imports. What it registers, only its constructor knows; so it is loaded
//! into the embedded host, once for each release, and no packet is sent.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use vppkit_host::{Host, HostError, NodeStats, PluginFile, Release, Report};

use crate::args::Inspect;
use crate::build::plugin_file;

pub(crate) fn inspect(args: &Inspect) -> Result<ExitCode> {
    let path = plugin_file(&args.plugin, !args.debug)?;
    let file = PluginFile::read(&path).with_context(|| path.display().to_string())?;
    let loads: Vec<_> = Release::all().map(|release| (release.name(), load(&path, release))).collect();
    let plugin = Plugin { path: &path, file, loads };
    let text = if args.json { serde_json::to_string_pretty(&plugin.json())? + "\n" } else { plugin.text() };
    print!("{text}");
    let loads_somewhere = plugin.loads.iter().any(|(_, load)| load.is_ok());
    Ok(if loads_somewhere { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn load(path: &Path, release: Release) -> Result<Report, HostError> {
    Host::new().vpp(release).plugin(path).no_auto_enable().run()
}

struct Plugin<'a> {
    path: &'a Path,
    file: PluginFile,
    /// What came of it in each release.
    loads: Vec<(&'static str, Result<Report, HostError>)>,
}

impl Plugin<'_> {
    fn reports(&self) -> impl Iterator<Item = (&'static str, &Report)> {
        self.loads.iter().filter_map(|(release, load)| Some((*release, load.as_ref().ok()?)))
    }

    /// The report of the newest release that takes the plugin; what the plugin registers is the same in all.
    fn newest(&self) -> Option<&Report> {
        self.reports().last().map(|(_, report)| report)
    }

    fn description(&self) -> Option<&str> {
        let lines = self.newest()?.log().iter().filter_map(|line| line.text.strip_prefix("Loaded plugin: "));
        lines.filter_map(|text| text.split_once(" (")?.1.strip_suffix(')')).next()
    }

    fn nodes(&self) -> impl Iterator<Item = &NodeStats> {
        self.newest().into_iter().flat_map(Report::nodes).filter(|node| node.plugin.is_some())
    }

    /// The node's variants in each release: those for which it has a clone that this processor can run.
    fn variants(&self, node: &str) -> Vec<(&'static str, Vec<String>)> {
        let of = |report: &Report| {
            let names = report.node(node).into_iter().flat_map(|node| &node.variants).map(|v| v.name.clone());
            names.filter(|name| name != "default").collect::<Vec<_>>()
        };
        self.reports().map(|(release, report)| (release, of(report))).collect()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &str| {
            let _ = writeln!(text, "  {name:<13}{value}");
        };
        line("version", &self.file.version);
        if let Some(description) = self.description() {
            line("description", description);
        }
        if self.file.default_disabled {
            line("loaded", "only if VPP's configuration enables it");
        }
        let taken: Vec<_> = self.reports().map(|(release, _)| release).collect();
        line("releases", &if taken.is_empty() { "none".to_owned() } else { taken.join(", ") });
        for (release, load) in &self.loads {
            if let Err(error) = load {
                line("", &format!("not {release}: {error}"));
            }
        }
        text.insert_str(0, &format!("{}\n", self.path.display()));
        for node in self.nodes() {
            self.node_text(node, &mut text);
        }
        for feature in self.newest().into_iter().flat_map(Report::plugin_features) {
            let _ = writeln!(text, "\nfeature {} on {}", feature.node, feature.arc);
            for (name, list) in [("before", &feature.before), ("after", &feature.after)] {
                if !list.is_empty() {
                    let _ = writeln!(text, "  {name:<13}{}", list.join(", "));
                }
            }
        }
        let commands = self.newest().map(Report::cli_commands).unwrap_or_default();
        if !commands.is_empty() {
            let _ = writeln!(text, "\nCLI commands");
            for command in commands {
                let _ = writeln!(text, "  {command}");
            }
        }
        let _ = writeln!(text, "\nimports");
        for (name, list) in [("looked up", &self.file.looked_up), ("linked", &self.file.imports)] {
            for symbol in list {
                let _ = writeln!(text, "  {name:<13}{symbol}: {}", exported_by(symbol));
            }
        }
        text
    }

    fn node_text(&self, node: &NodeStats, text: &mut String) {
        let _ = writeln!(text, "\nnode {} ({})", node.name, node.kind);
        let next: Vec<_> = node.next.iter().map(|next| next.node.as_str()).collect();
        let _ = writeln!(text, "  {:<13}{}", "next nodes", next.join(", "));
        for error in
            self.newest().into_iter().flat_map(Report::errors).filter(|error| error.node == node.name)
        {
            let _ = writeln!(
                text,
                "  {:<13}{} ({}): {}",
                "counter", error.name, error.severity, error.description
            );
        }
        for (release, variants) in self.variants(&node.name) {
            let variants = if variants.is_empty() { "default only".to_owned() } else { variants.join(", ") };
            let _ = writeln!(text, "  {:<13}{variants}", format!("in {release}"));
        }
    }

    fn json(&self) -> Value {
        let errors = |node: &str| -> Vec<Value> {
            let of_node =
                self.newest().into_iter().flat_map(Report::errors).filter(|error| error.node == node);
            of_node
                .map(|e| json!({ "name": e.name, "description": e.description, "severity": e.severity }))
                .collect()
        };
        let node = |node: &NodeStats| {
            let variants = self
                .variants(&node.name)
                .into_iter()
                .map(|(release, names)| (release.to_owned(), names.into()));
            json!({
                "name": node.name,
                "kind": node.kind,
                "next_nodes": node.next.iter().map(|next| &next.node).collect::<Vec<_>>(),
                "errors": errors(&node.name),
                "variants": variants.collect::<serde_json::Map<String, Value>>(),
            })
        };
        let feature = |f: &vppkit_host::PluginFeature| json!({ "arc": f.arc, "node": f.node, "before": f.before, "after": f.after });
        json!({
            "file": self.path.display().to_string(),
            "version": self.file.version,
            "description": self.description(),
            "default_disabled": self.file.default_disabled,
            "releases": self.reports().map(|(release, _)| release).collect::<Vec<_>>(),
            "refused": self.loads.iter().filter_map(|(release, load)| {
                Some(json!({ "release": release, "reason": load.as_ref().err()?.to_string() }))
            }).collect::<Vec<_>>(),
            "nodes": self.nodes().map(node).collect::<Vec<_>>(),
            "features": self.newest().into_iter().flat_map(Report::plugin_features).map(feature).collect::<Vec<_>>(),
            "cli_commands": self.newest().map(Report::cli_commands).unwrap_or_default(),
            "looked_up": self.file.looked_up,
            "imports": self.file.imports,
        })
    }
}

/// Which releases have a symbol.
fn exported_by(symbol: &str) -> String {
    if vppkit_host::is_in_every_release(symbol) {
        Release::all().map(|release| release.name()).collect::<Vec<_>>().join(", ")
    } else {
        "not known; `nm -D` of VPP's libraries tells".to_owned()
    }
}
