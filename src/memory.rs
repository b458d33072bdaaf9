//! How much memory there is, and sizes as people write them.

use std::path::{Path, PathBuf};
use std::{env, fs};

use trainer::{Frame, SpillOptions};

/// Where the next table goes that is larger than memory: into `$TMPDIR` if that is set, else beside the output. `None` where
/// nobody knows how much memory there is.
pub fn spill_options(limit: Option<u64>, output: &Path, tables: &[&Frame]) -> Option<SpillOptions> {
    let taken = tables.iter().map(|table| table.memory_bytes() as u64).sum();
    let limit = limit.or_else(three_quarters)?.saturating_sub(taken);
    let beside =
        || output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned();
    let folder = env::var_os("TMPDIR").filter(|folder| !folder.is_empty()).map_or_else(beside, PathBuf::from);
    Some(SpillOptions { limit, folder })
}

/// What to tell about a table that did not fit.
pub fn spill_notice(which: &str, table: &Frame, options: Option<&SpillOptions>) -> Option<String> {
    let options = options.filter(|_| table.spilled_bytes() > 0)?;
    let bytes = table.spilled_bytes() as u64;
    Some(format!("the {which} frame does not fit into memory: {} of it {}", shown(bytes), lie_in(&options.folder)))
}

/// What to tell about the rows that the fast engine packs.
pub fn rows_notice(bytes: u64, folder: &Path) -> String {
    format!("the packed rows do not fit into memory beside the frames: {} {}", shown(bytes), lie_in(folder))
}

fn lie_in(folder: &Path) -> String {
    format!("lie in a file in {}, which is gone when this run ends (see --memory-limit)", folder.display())
}

/// Three quarters of the memory of the machine, or of what the control group of the process may use of it; `None` where
/// the system does not tell.
fn three_quarters() -> Option<u64> {
    of_machine().into_iter().chain(of_control_group()).min().map(|bytes| bytes / 4 * 3)
}

fn of_machine() -> Option<u64> {
    const BYTES_OF_KB: u64 = 1024;
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    total.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(BYTES_OF_KB)
}

/// The least limit of the groups that the process is in: of version 2 or 1, whichever is there.
fn of_control_group() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let limits = groups.lines().flat_map(|line| {
        let (folder, file) = match line.splitn(3, ':').collect::<Vec<_>>()[..] {
            [_, "", path] => (format!("/sys/fs/cgroup{path}"), "memory.max"),
            [_, names, path] if names.split(',').any(|name| name == "memory") => {
                (format!("/sys/fs/cgroup/memory{path}"), "memory.limit_in_bytes")
            }
            _ => return Vec::new(),
        };
        let folders = Path::new(&folder).ancestors().take_while(|folder| folder.starts_with("/sys/fs/cgroup"));
        // `max` is no number, and no limit.
        folders.filter_map(|folder| fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok()).collect()
    });
    limits.min()
}

/// Reads bytes, with or without a unit: `8GiB`, `500 MB`, `1073741824`.
pub fn parse_size(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 13] = [
        ("kib", 1 << 10),
        ("mib", 1 << 20),
        ("gib", 1 << 30),
        ("tib", 1 << 40),
        ("kb", 1_000),
        ("mb", 1_000_000),
        ("gb", 1_000_000_000),
        ("tb", 1_000_000_000_000),
        ("k", 1 << 10),
        ("m", 1 << 20),
        ("g", 1 << 30),
        ("t", 1 << 40),
        ("b", 1),
    ];
    let refused = || "expected a number of bytes, or one with a unit such as MiB, GB or GiB".to_owned();
    let lower = text.trim().to_ascii_lowercase();
    let with_unit = UNITS.iter().find_map(|(unit, bytes)| Some((lower.strip_suffix(unit)?, *bytes)));
    let (number, unit) = with_unit.unwrap_or((&lower, 1));
    let number = number.trim();
    if let Ok(number) = number.parse::<u64>() {
        return number.checked_mul(unit).ok_or_else(refused);
    }
    let bytes = number.parse::<f64>().map_err(|_| refused())? * unit as f64;
    if bytes >= 0.0 && bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err(refused()) }
}

/// Bytes as people read them.
fn shown(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match UNITS.iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => format!("{:.1} {name}", bytes as f64 / *unit as f64),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_and_without_units() {
        for (text, bytes) in [
            ("0", 0),
            ("1073741824", 1 << 30),
            ("8GiB", 8 << 30),
            ("8 gib", 8 << 30),
            ("8G", 8 << 30),
            ("1.5 GB", 1_500_000_000),
            ("500MB", 500_000_000),
            ("7b", 7),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "GiB", "-1", "eight", "1e30", "nan", "99999999999TiB", "8 GiB more"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_shown_in_the_largest_unit() {
        assert_eq!([shown(7), shown(2048), shown(3 << 30)], ["7 bytes", "2.0 KiB", "3.0 GiB"]);
    }

    #[test]
    fn a_linux_machine_has_memory() {
        assert!(!cfg!(target_os = "linux") || three_quarters().is_some_and(|bytes| bytes > 1 << 20));
    }
}
