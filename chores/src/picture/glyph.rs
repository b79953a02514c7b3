//! Lines and blocks, drawn instead of written: a font's own would leave gaps between cells, since no viewer has the font
//! that the cells were measured by.

/// Which of a cell's four half-lines a sign has: left, right, up, down.
fn arms(sign: char) -> Option<[bool; 4]> {
    let named = match sign {
        '─' => "lr",
        '│' => "ud",
        '┌' | '╭' => "rd",
        '┐' | '╮' => "ld",
        '└' | '╰' => "ru",
        '┘' | '╯' => "lu",
        '├' => "rud",
        '┤' => "lud",
        '┬' => "lrd",
        '┴' => "lru",
        '┼' => "lrud",
        _ => return None,
    };
    Some(['l', 'r', 'u', 'd'].map(|arm| named.contains(arm)))
}

/// The part of its cell that a block fills: x, y, width, height, in eighths.
fn block(sign: char) -> Option<[u32; 4]> {
    let code = u32::from(sign);
    match code {
        // Lower eighths, up to the whole.
        0x2581..=0x2588 => Some([0, 8 - (code - 0x2580), 8, code - 0x2580]),
        // Left eighths, down to one.
        0x2589..=0x258f => Some([0, 0, 8 - (code - 0x2588), 8]),
        _ => None,
    }
}

/// The path of a sign in the cell at `x`, `y`, if it is drawn.
pub fn path(sign: char, (x, y): (u32, u32), (width, height): (u32, u32)) -> Option<String> {
    if let Some([left, top, wide, high]) = block(sign) {
        let part = |of: u32, eighths: u32| f64::from(of * eighths) / 8.0;
        let (left, top) = (f64::from(x) + part(width, left), f64::from(y) + part(height, top));
        return Some(format!(
            "M{left} {top}h{}v{}h-{}z",
            part(width, wide),
            part(height, high),
            part(width, wide)
        ));
    }
    let [left, right, up, down] = arms(sign)?;
    let (middle, centre) = (x + width / 2, y + height / 2);
    let mut path = String::new();
    if left || right {
        let from = if left { x } else { middle };
        let long = if left && right { width } else { width / 2 };
        path.push_str(&format!("M{from} {centre}h{long}v1h-{long}z"));
    }
    if up || down {
        let from = if up { y } else { centre };
        let long = if up && down { height } else { height / 2 + u32::from(up) };
        path.push_str(&format!("M{middle} {from}v{long}h1v-{long}z"));
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn signs_meet_at_the_edges_of_their_cells() {
        let drawn = |sign| path(sign, (8, 20), (8, 20)).unwrap_or_default();
        assert_eq!(drawn('─'), "M8 30h8v1h-8z");
        assert_eq!(drawn('│'), "M12 20v20h1v-20z");
        assert_eq!(drawn('█'), "M8 20h8v20h-8z");
        assert_eq!(drawn('▌'), "M8 20h4v20h-4z");
        assert_eq!(drawn('▄'), "M8 30h8v10h-8z");
        assert_eq!(path('x', (0, 0), (8, 20)), None);
    }
}
