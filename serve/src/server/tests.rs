//! The server behind real sockets of this machine.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::*;
use crate::app::Options;
use crate::fixtures::{registry, regression};
use crate::service::Service;

/// A server that runs.
struct Running {
    address: SocketAddr,
    state: Arc<AppState>,
    stop: oneshot::Sender<()>,
    stopped: JoinHandle<()>,
}

async fn start(limits: Limits) -> Running {
    let listener = bind("127.0.0.1:0").await.expect("the system has a port left");
    let address = listener.local_addr().expect("it is bound");
    let state = AppState::new(Service::new(registry([("m", regression())]), limits), Options::default());
    let (stop, told) = oneshot::channel();
    let shutdown = async { told.await.expect("the test keeps the sender") };
    let stopped = tokio::spawn(run(listener, Arc::clone(&state), None, shutdown));
    Running { address, state, stop, stopped }
}

const ROW: &str = r#"{"x": 1}"#;
const ANSWER: &str = r#"{"predict":2.5}"#;

/// A connection on which the header of a request has been sent.
async fn begin(address: SocketAddr, body_length: usize, more: &str) -> TcpStream {
    let mut client = TcpStream::connect(address).await.expect("the server listens");
    let header = format!("POST /score HTTP/1.1\r\nhost: test\r\ncontent-length: {body_length}\r\n{more}\r\n");
    client.write_all(header.as_bytes()).await.expect("the server reads");
    client
}

/// A connection with a request in flight: the server has asked for its body, and has not got it.
async fn in_flight(address: SocketAddr) -> TcpStream {
    let mut client = begin(address, ROW.len(), "expect: 100-continue\r\n").await;
    assert_eq!(read_until(&mut client, "\r\n\r\n").await, "HTTP/1.1 100 Continue\r\n\r\n");
    client
}

async fn read_until(client: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    while !text.ends_with(end) {
        let byte = client.read_u8().await.expect("more to read");
        text.push(char::from(byte));
    }
    text
}

/// Everything until the server closes the connection, in order.
async fn rest_of(client: &mut TcpStream) -> String {
    let mut text = String::new();
    client.read_to_string(&mut text).await.expect("no reset");
    text
}

#[tokio::test]
async fn a_connection_serves_many_requests() {
    let server = start(Limits::default()).await;
    let mut client = begin(server.address, ROW.len(), "").await;
    for _ in 0..3 {
        client.write_all(ROW.as_bytes()).await.expect("sent");
        let answer = read_until(&mut client, ANSWER).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        let next = format!("POST /score HTTP/1.1\r\nhost: test\r\ncontent-length: {}\r\n\r\n", ROW.len());
        client.write_all(next.as_bytes()).await.expect("sent");
    }
}

#[tokio::test]
async fn a_stop_answers_what_is_in_flight_and_closes_what_is_idle() {
    let Running { address, state, stop, stopped } = start(Limits::default()).await;
    let mut idle = begin(address, ROW.len(), "").await;
    idle.write_all(ROW.as_bytes()).await.expect("sent");
    read_until(&mut idle, ANSWER).await;
    let mut busy = in_flight(address).await;

    assert!(state.is_ready());
    stop.send(()).expect("the server runs");
    assert_eq!(rest_of(&mut idle).await, "");
    assert!(!state.is_ready());
    assert!(TcpStream::connect(address).await.is_err());
    assert!(!stopped.is_finished());

    busy.write_all(ROW.as_bytes()).await.expect("sent");
    let answer = rest_of(&mut busy).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with(ANSWER), "{answer}");
    stopped.await.expect("no panic");
}

#[tokio::test]
async fn a_request_that_never_ends_is_dropped_at_the_deadline() {
    let limits = Limits { shutdown_deadline: Duration::from_millis(50), ..Limits::default() };
    let Running { address, stop, stopped, .. } = start(limits).await;
    let mut stuck = in_flight(address).await;
    stop.send(()).expect("the server runs");
    stopped.await.expect("no panic");
    assert_eq!(rest_of(&mut stuck).await, "");
}

#[tokio::test]
async fn a_client_that_sends_no_header_is_dropped() {
    let limits = Limits { header_timeout: Duration::from_millis(50), ..Limits::default() };
    let server = start(limits).await;
    let mut slow = TcpStream::connect(server.address).await.expect("the server listens");
    slow.write_all(b"POST /score HTTP/1.1\r\nhost: te").await.expect("sent");
    assert_eq!(rest_of(&mut slow).await, "");
}

#[tokio::test]
async fn a_client_that_never_reads_its_answer_is_dropped() {
    let limits = Limits { write_timeout: Duration::from_millis(100), connections: 1, ..Limits::default() };
    let server = start(limits).await;
    // More answers than the buffers of both ends hold, none of them read.
    let row = format!("[{}]", vec![ROW; 50_000].join(","));
    let mut greedy = begin(server.address, row.len(), "").await;
    let next = format!("POST /score HTTP/1.1\r\nhost: test\r\ncontent-length: {}\r\n\r\n", row.len());
    let sending = async {
        while greedy.write_all(row.as_bytes()).await.is_ok() && greedy.write_all(next.as_bytes()).await.is_ok() {}
    };
    timeout(Duration::from_mins(1), sending).await.expect("the server breaks off");
    // Its place is free again.
    let mut second = begin(server.address, ROW.len(), "").await;
    second.write_all(ROW.as_bytes()).await.expect("sent");
    read_until(&mut second, ANSWER).await;
}

#[tokio::test]
async fn connections_over_the_limit_wait_for_their_turn() {
    let server = start(Limits { connections: 1, ..Limits::default() }).await;
    let first = in_flight(server.address).await;
    let mut second = begin(server.address, ROW.len(), "").await;
    second.write_all(ROW.as_bytes()).await.expect("sent");
    let early = timeout(Duration::from_millis(50), second.readable()).await;
    assert!(early.is_err(), "the second is not served beside the first");
    drop(first);
    read_until(&mut second, ANSWER).await;
}

#[tokio::test]
async fn a_client_that_sends_too_much_gets_to_read_why() {
    let server = start(Limits { body_bytes: 100, ..Limits::default() }).await;
    let length = 8 << 20;
    let mut client = begin(server.address, length, "").await;
    client.write_all(&vec![b' '; length]).await.expect("the server takes it");
    let answer = read_until(&mut client, "}}").await;
    assert!(answer.starts_with("HTTP/1.1 413 Payload Too Large\r\n"), "{answer}");
}

#[tokio::test]
async fn addresses_that_cannot_be_bound_are_refused_in_one_sentence() {
    let holder = bind("127.0.0.1:0").await.expect("the system has a port left");
    let taken = holder.local_addr().expect("it is bound").to_string();
    for (address, expected) in [
        (taken.as_str(), format!("address {taken} is already in use: choose another with --listen")),
        ("nonsense", "`nonsense` is no address: expected HOST:PORT such as 127.0.0.1:8080".to_owned()),
        ("127.0.0.1:99999", "`127.0.0.1:99999` is no address: expected HOST:PORT such as 127.0.0.1:8080".to_owned()),
        (
            "192.0.2.1:8080",
            "address 192.0.2.1:8080 is not one of this machine: choose another with --listen".to_owned(),
        ),
    ] {
        let error = bind(address).await.expect_err("it cannot be bound");
        assert_eq!(error.to_string(), expected);
    }
}
