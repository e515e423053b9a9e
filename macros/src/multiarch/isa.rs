//! The instruction sets that `#[multiarch]` takes: VPP's names, and what each means to rustc.
//!
//! The feature lists are those of `rustc --print cfg -C target-cpu=..`, less what every x86-64 processor has and what the
//! oldest supported compiler does not know; a test compares them.

/// An instruction set.
pub struct Isa {
    /// VPP's name.
    pub name: &'static str,
    pub target: Target,
}

/// What is compiled for it.
pub enum Target {
    /// A clone for x86-64, with these features, separated by commas. The processor is the one that rustc's list is from; only the test asks.
    X86_64 {
        #[cfg_attr(not(test), expect(dead_code))]
        processor: &'static str,
        features: &'static str,
    },
    /// Nothing: this is what the node's own function is compiled for, on the one architecture or the other.
    Baseline,
    /// Nothing here: it is of another architecture.
    Elsewhere,
}

/// Every name that one of the supported releases has on one of its architectures.
pub const ISAS: &[Isa] = &[
    Isa { name: "scalar", target: Target::Baseline },
    Isa {
        name: "x86_64_v3",
        target: Target::X86_64 {
            processor: "x86-64-v3",
            features: "avx,avx2,bmi1,bmi2,cmpxchg16b,f16c,fma,lzcnt,movbe,popcnt,sse3,sse4.1,sse4.2,ssse3,\
                       xsave",
        },
    },
    Isa {
        name: "x86_64_v4",
        target: Target::X86_64 {
            processor: "x86-64-v4",
            features: "avx,avx2,avx512bw,avx512cd,avx512dq,avx512f,avx512vl,bmi1,bmi2,cmpxchg16b,f16c,fma,\
                       lzcnt,movbe,popcnt,sse3,sse4.1,sse4.2,ssse3,xsave",
        },
    },
    Isa {
        name: "hsw",
        target: Target::X86_64 {
            processor: "haswell",
            features: "avx,avx2,bmi1,bmi2,cmpxchg16b,f16c,fma,lzcnt,movbe,pclmulqdq,popcnt,rdrand,sse3,\
                       sse4.1,sse4.2,ssse3,xsave,xsaveopt",
        },
    },
    Isa {
        name: "trm",
        target: Target::X86_64 {
            processor: "tremont",
            features: "aes,cmpxchg16b,gfni,movbe,pclmulqdq,popcnt,rdrand,rdseed,sha,sse3,sse4.1,sse4.2,\
                       ssse3,xsave,xsavec,xsaveopt,xsaves",
        },
    },
    Isa {
        name: "skx",
        target: Target::X86_64 {
            processor: "skylake-avx512",
            features: "adx,aes,avx,avx2,avx512bw,avx512cd,avx512dq,avx512f,avx512vl,bmi1,bmi2,cmpxchg16b,\
                       f16c,fma,lzcnt,movbe,pclmulqdq,popcnt,rdrand,rdseed,sse3,sse4.1,sse4.2,ssse3,xsave,\
                       xsavec,xsaveopt,xsaves",
        },
    },
    Isa {
        name: "icl",
        target: Target::X86_64 {
            processor: "icelake-server",
            features: "adx,aes,avx,avx2,avx512bitalg,avx512bw,avx512cd,avx512dq,avx512f,avx512ifma,\
                       avx512vbmi,avx512vbmi2,avx512vl,avx512vnni,avx512vpopcntdq,bmi1,bmi2,cmpxchg16b,\
                       f16c,fma,gfni,lzcnt,movbe,pclmulqdq,popcnt,rdrand,rdseed,sha,sse3,sse4.1,sse4.2,\
                       ssse3,vaes,vpclmulqdq,xsave,xsavec,xsaveopt,xsaves",
        },
    },
    Isa {
        name: "adl",
        target: Target::X86_64 {
            processor: "alderlake",
            features: "adx,aes,avx,avx2,avxvnni,bmi1,bmi2,cmpxchg16b,f16c,fma,gfni,lzcnt,movbe,pclmulqdq,\
                       popcnt,rdrand,rdseed,sha,sse3,sse4.1,sse4.2,ssse3,vaes,vpclmulqdq,xsave,xsavec,\
                       xsaveopt,xsaves",
        },
    },
    Isa {
        name: "spr",
        target: Target::X86_64 {
            processor: "sapphirerapids",
            features: "adx,aes,avx,avx2,avx512bf16,avx512bitalg,avx512bw,avx512cd,avx512dq,avx512f,\
                       avx512ifma,avx512vbmi,avx512vbmi2,avx512vl,avx512vnni,avx512vpopcntdq,avxvnni,bmi1,\
                       bmi2,cmpxchg16b,f16c,fma,gfni,lzcnt,movbe,pclmulqdq,popcnt,rdrand,rdseed,sha,sse3,\
                       sse4.1,sse4.2,ssse3,vaes,vpclmulqdq,xsave,xsavec,xsaveopt,xsaves",
        },
    },
    Isa {
        name: "znver3",
        target: Target::X86_64 {
            processor: "znver3",
            features: "adx,aes,avx,avx2,bmi1,bmi2,cmpxchg16b,f16c,fma,lzcnt,movbe,pclmulqdq,popcnt,rdrand,\
                       rdseed,sha,sse3,sse4.1,sse4.2,sse4a,ssse3,vaes,vpclmulqdq,xsave,xsavec,xsaveopt,\
                       xsaves",
        },
    },
    Isa {
        name: "znver4",
        target: Target::X86_64 {
            processor: "znver4",
            features: "adx,aes,avx,avx2,avx512bf16,avx512bitalg,avx512bw,avx512cd,avx512dq,avx512f,\
                       avx512ifma,avx512vbmi,avx512vbmi2,avx512vl,avx512vnni,avx512vpopcntdq,bmi1,bmi2,\
                       cmpxchg16b,f16c,fma,gfni,lzcnt,movbe,pclmulqdq,popcnt,rdrand,rdseed,sha,sse3,sse4.1,\
                       sse4.2,sse4a,ssse3,vaes,vpclmulqdq,xsave,xsavec,xsaveopt,xsaves",
        },
    },
    Isa {
        name: "znver5",
        target: Target::X86_64 {
            processor: "znver5",
            features: "adx,aes,avx,avx2,avx512bf16,avx512bitalg,avx512bw,avx512cd,avx512dq,avx512f,\
                       avx512ifma,avx512vbmi,avx512vbmi2,avx512vl,avx512vnni,avx512vp2intersect,\
                       avx512vpopcntdq,avxvnni,bmi1,bmi2,cmpxchg16b,f16c,fma,gfni,lzcnt,movbe,pclmulqdq,\
                       popcnt,rdrand,rdseed,sha,sse3,sse4.1,sse4.2,sse4a,ssse3,vaes,vpclmulqdq,xsave,\
                       xsavec,xsaveopt,xsaves",
        },
    },
    Isa { name: "neon", target: Target::Elsewhere },
    Isa { name: "octeontx2", target: Target::Elsewhere },
    Isa { name: "thunderx2t99", target: Target::Elsewhere },
    Isa { name: "cortexa72", target: Target::Elsewhere },
    Isa { name: "neoversen1", target: Target::Elsewhere },
    Isa { name: "neoversen2", target: Target::Elsewhere },
    Isa { name: "neoversev2", target: Target::Elsewhere },
];

/// The instruction set of this name.
pub fn find(name: &str) -> Option<&'static Isa> {
    ISAS.iter().find(|isa| isa.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::process::Command;

    use super::*;

    /// Every x86-64 processor has the first three. The oldest supported compiler does not know AVX512-FP16; a node has no
    /// use for Key Locker.
    const LEFT_OUT: [&str; 6] = ["fxsr", "sse", "sse2", "avx512fp16", "kl", "widekl"];

    #[test]
    fn features_are_those_that_rustc_gives_to_the_processor() {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        for isa in ISAS {
            let Target::X86_64 { processor, features } = isa.target else { continue };
            let mut command = Command::new(&rustc);
            command.args(["--print", "cfg", "--target", "x86_64-unknown-linux-gnu", "-C"]);
            let output = command.arg(format!("target-cpu={processor}")).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let has =
                |line: &str| Some(line.strip_prefix("target_feature=\"")?.strip_suffix('"')?.to_owned());
            let of_rustc: BTreeSet<_> =
                text.lines().filter_map(has).filter(|feature| !LEFT_OUT.contains(&&**feature)).collect();
            let ours: BTreeSet<_> = features.split(',').map(str::to_owned).collect();
            assert_eq!(ours, of_rustc, "{}", isa.name);
        }
    }

    #[test]
    fn names_are_there_once() {
        let names: BTreeSet<_> = ISAS.iter().map(|isa| isa.name).collect();
        assert_eq!(names.len(), ISAS.len());
    }
}
