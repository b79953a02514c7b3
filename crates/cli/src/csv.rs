//! Comma-separated values, as RFC 4180 has them.

/// One line.
pub fn line<'t>(cells: impl Iterator<Item = &'t str>) -> String {
    let quoted = cells.map(|cell| {
        if cell.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.to_owned()
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    #[test]
    fn csv_is_quoted_where_it_must_be() {
        assert_eq!(super::line(["a", "b,c", "d\"e", ""].into_iter()), "a,\"b,c\",\"d\"\"e\",\r\n");
    }
}
