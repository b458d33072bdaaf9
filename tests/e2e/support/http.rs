//! A server process, and requests to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ExitStatus, Stdio};

use libtest_mimic::Failed;

use super::Folder;
use super::process::{PATIENCE, signal, wait};

/// `aqueduct serve` on a port of the system's choice; dropped, it is killed.
pub struct Server {
    process: Child,
    pub address: SocketAddr,
}

impl Server {
    pub fn start(folder: &Folder, models: &[&str]) -> Result<Self, Failed> {
        let args = ["serve", "--listen", "127.0.0.1:0"].into_iter().chain(models.iter().copied());
        let mut process = folder.command(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut line = String::new();
        if let Some(stdout) = process.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let address = line.trim_end().rsplit_once("http://").and_then(|(_, address)| address.parse().ok());
        let Some(address) = address else {
            process.kill()?;
            process.wait()?;
            return Err(format!("the server does not say where it listens: `{line}`").into());
        };
        Ok(Self { process, address })
    }

    pub fn get(&self, path: &str) -> Result<Response, Failed> {
        Request::new(self.address, "GET", path, "")?.answer()
    }

    pub fn post(&self, path: &str, body: &str) -> Result<Response, Failed> {
        Request::new(self.address, "POST", path, body)?.answer()
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) -> Result<(), Failed> {
        signal(&self.process, name)
    }

    /// Waits for the end of the process.
    pub fn end(mut self) -> Result<ExitStatus, Failed> {
        wait(&mut self.process)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail where it has ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A status and a body.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub body: String,
}

impl Response {
    pub fn json(&self) -> Result<serde_json::Value, Failed> {
        Ok(serde_json::from_str(&self.body)?)
    }
}

/// A request on a connection of its own.
pub struct Request<'b> {
    stream: BufReader<TcpStream>,
    body: &'b str,
    /// The header of an answer that the server gives without the body.
    refusal: Option<String>,
}

impl<'b> Request<'b> {
    /// Sends the header, and not yet the body.
    pub fn new(address: SocketAddr, method: &str, path: &str, body: &'b str) -> Result<Self, Failed> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        // With a body the server says when it begins to read it, and so that it has the header.
        let expect = if body.is_empty() { "" } else { "Expect: 100-continue\r\n" };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n{expect}\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        )?;
        let mut stream = BufReader::new(stream);
        let said = if expect.is_empty() { None } else { Some(head(&mut stream)?) };
        let refusal = said.filter(|head| !head.starts_with("HTTP/1.1 100 "));
        Ok(Self { stream, body, refusal })
    }

    /// Sends the body and reads the answer.
    pub fn answer(mut self) -> Result<Response, Failed> {
        let head = if let Some(refusal) = self.refusal {
            refusal
        } else {
            self.stream.get_mut().write_all(self.body.as_bytes())?;
            head(&mut self.stream)?
        };
        let mut body = String::new();
        self.stream.read_to_string(&mut body)?;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or("no status")?;
        Ok(Response { status, body })
    }
}

/// The lines up to an empty one.
fn head(stream: &mut impl BufRead) -> Result<String, Failed> {
    let mut head = String::new();
    while stream.read_line(&mut head)? > 2 {}
    Ok(head)
}
