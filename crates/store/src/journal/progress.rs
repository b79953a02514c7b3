//! How far a record came: a byte for each step, written over in place.
//!
//! The file is there, with a byte for each step, before the first change: a mark needs no more room, so that a full disk
//! cannot keep a change from being taken back, and a byte cannot be torn.

use super::bench::Bench;
use super::plan::name;
use crate::disk::Handle;
use crate::shape::read_from;
use crate::write_error::WriteError;

/// Where a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Not begun: the tree knows nothing of it.
    Ready,
    /// Begun; it may be made, half made, or half taken back.
    Begun,
    /// Taken back.
    Back,
    /// Left as someone else has changed it.
    Kept,
}

impl Mark {
    const fn byte(self) -> u8 {
        match self {
            Self::Ready => b'.',
            Self::Begun => b'>',
            Self::Back => b'<',
            Self::Kept => b'!',
        }
    }
}

/// The open file of a record.
#[derive(Debug)]
pub(super) struct Progress {
    handle: Handle,
    marks: Vec<Mark>,
}

impl Progress {
    /// Makes the file. Its name is on the disk when the folder of the record is synced.
    pub fn create(bench: &Bench, steps: usize) -> Result<(), WriteError> {
        let mut handle = bench.disk.create(&bench.dir.join(name::PROGRESS))?;
        bench.disk.write_all(&mut handle, &vec![Mark::Ready.byte(); steps])?;
        bench.disk.sync(&handle)
    }

    /// Opens the file of a record that has a plan.
    pub fn open(bench: &Bench, steps: usize) -> Result<Self, WriteError> {
        let mut handle = bench.disk.open_write(&bench.dir.join(name::PROGRESS))?;
        let bytes = read_from(&bench.disk, &mut handle, 0, steps as u64)?;
        let mark = |byte: &u8| {
            let known = [Mark::Begun, Mark::Back, Mark::Kept];
            known.into_iter().find(|mark| mark.byte() == *byte).unwrap_or(Mark::Ready)
        };
        let mut marks: Vec<Mark> = bytes.iter().map(mark).collect();
        marks.resize(steps, Mark::Ready);
        Ok(Self { handle, marks })
    }

    /// Where a step is.
    pub fn of(&self, index: usize) -> Mark {
        self.marks.get(index).copied().unwrap_or(Mark::Ready)
    }

    /// Notes where a step is, and waits for the disk.
    pub fn set(&mut self, bench: &Bench, index: usize, mark: Mark) -> Result<(), WriteError> {
        bench.disk.seek(&mut self.handle, index as u64)?;
        bench.disk.write_all(&mut self.handle, &[mark.byte()])?;
        bench.disk.sync(&self.handle)?;
        if let Some(place) = self.marks.get_mut(index) {
            *place = mark;
        }
        Ok(())
    }
}
