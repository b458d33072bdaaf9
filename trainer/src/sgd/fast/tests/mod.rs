mod batch;
mod engine;
mod step;
