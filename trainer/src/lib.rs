//! trainer

mod frame;

pub use frame::{Column, ColumnType, Frame, FrameError, ReadOptions, ReadProgress, RowReader};
