//! End to end: one binary with a module a topic. A test that lacks its Java, its jar or its data shows as ignored, with
//! the reason.

mod autoencoder;
mod clients;
mod contributions;
mod defects;
mod encodings;
mod identity;
mod inspect;
mod java_class;
mod mojo;
mod onnx;
mod oracle;
mod parity;
mod quickstart;
mod refusals;
mod report;
mod rules;
mod rust_source;
mod support;
mod train;
mod weights;
mod zoo;

use std::process::ExitCode;

use libtest_mimic::{Arguments, run};

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // One model is trained at a time inside each test; more threads than cores would only stretch their time limits.
    arguments.test_threads = arguments.test_threads.or(std::thread::available_parallelism().ok().map(Into::into));
    let tests = [
        autoencoder::tests(),
        clients::tests(),
        contributions::tests(),
        defects::tests(),
        encodings::tests(),
        identity::tests(),
        inspect::tests(),
        java_class::tests(),
        mojo::tests(),
        onnx::tests(),
        oracle::tests(),
        parity::tests(),
        quickstart::tests(),
        refusals::tests(),
        report::tests(),
        rules::tests(),
        rust_source::tests(),
        train::tests(),
        weights::tests(),
        zoo::tests(),
    ];
    run(&arguments, tests.into_iter().flatten().collect()).exit_code()
}
