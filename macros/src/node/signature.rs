//! Which loop a node's signature asks for. So far there is one: `&mut Packet`.

use proc_macro2::Ident;
use syn::{GenericArgument, PathArguments, Type};

use crate::args::text;
use crate::diagnostics::{Checked, Diagnostics};
use crate::signature::{Expected, Param, exclusive, is_elided, named, peel};

use super::parse::Written;

/// The signature of a node that takes one packet at a time.
pub fn per_packet(written: &Written) -> Expected {
    let function = &written.item.sig.ident;
    let given = |ty: &Checked<Option<Type>>| match ty {
        Ok(Some(ty)) => Some(text(ty)),
        _ => None,
    };
    let output = match (given(&written.next), given(&written.errors)) {
        _ if !written.features.is_empty() => format!("Verdict<{function}>"),
        (Some(next), None) => next,
        (next, errors) => {
            format!("Result<{}, {}>", next.as_deref().unwrap_or("Next"), errors.as_deref().unwrap_or("Error"))
        }
    };
    let context = format!("&mut NodeContext<{function}>");
    Expected {
        subject: "a node's function",
        usage: format!("fn {function}(node: {context}, packet: &mut Packet) -> {output}"),
        params: vec![
            Param { name: "node", ty: context, check: node_context },
            Param { name: "packet", ty: "&mut Packet".to_owned(), check: packet },
        ],
        output,
        returns: "where its packet goes",
        instead_of_async: "process nodes are not available yet: write a per-packet node, without `async`",
    }
}

/// `&mut NodeContext<function>`
fn node_context(param: &Param, ty: &Type, function: &Ident, dx: &mut Diagnostics) -> Checked<()> {
    let inner = exclusive(param, ty, dx)?;
    let write = format!("write `{}: {}`", param.name, param.ty);
    let PathArguments::AngleBracketed(args) = named(param, inner, "NodeContext", dx)? else {
        return Err(dx.error(inner, "`NodeContext` says whose context it is", write));
    };
    let mut types = Vec::new();
    for arg in &args.args {
        match arg {
            GenericArgument::Lifetime(lifetime) if lifetime.ident != "_" => {
                let found = "the context lives for the call only, so it has no named lifetime";
                return Err(dx.error(lifetime, found, write));
            }
            GenericArgument::Type(ty) => types.push(ty),
            _ => {}
        }
    }
    let [ty] = types[..] else {
        return Err(dx.error(args, "`NodeContext` takes one type: the node's", write));
    };
    match peel(ty) {
        Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == *function) => Ok(()),
        ty => {
            let found = format!("this is the node `{function}`, found the context of `{}`", text(ty));
            let write = format!("write `{function}`: the type of a node has the name of its function");
            Err(dx.error(ty, found, write))
        }
    }
}

/// `&mut Packet`; the forms that are not there yet are recognised.
fn packet(param: &Param, ty: &Type, _: &Ident, dx: &mut Diagnostics) -> Checked<()> {
    let inner = exclusive(param, ty, dx)?;
    let later = match inner {
        Type::Array(_) | Type::Slice(_) => Some("several packets at a time"),
        Type::Path(path) => match path.path.segments.last() {
            Some(last) if last.ident == "Frame" => Some("a whole frame at a time"),
            Some(last) if last.ident == "Input" => Some("an input node"),
            _ => None,
        },
        _ => None,
    };
    if let Some(form) = later {
        let found = format!("{form} (`{}`) is not available yet", text(ty));
        return Err(dx.error(ty, found, format!("write a per-packet node: `{}: {}`", param.name, param.ty)));
    }
    match named(param, inner, "Packet", dx)? {
        PathArguments::None => Ok(()),
        PathArguments::AngleBracketed(args) if is_elided(args) => Ok(()),
        args => {
            let found = "the packet lives for the call only, so it has no named lifetime";
            Err(dx.error(args, found, format!("write `{}: {}`", param.name, param.ty)))
        }
    }
}
