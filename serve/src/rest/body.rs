//! The body of a request: is it JSON, and is it short and quick enough?

use axum::body::Body;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, EXPECT};
use http_body_util::BodyExt;
use hyper::body::Body as _;

use crate::error::ServeError;
use crate::limits::Limits;

/// The whole body, which is to be read as JSON.
pub(super) async fn read_json(request: Request, limits: &Limits) -> Result<Vec<u8>, ServeError> {
    let (head, mut body) = request.into_parts();
    let read = async {
        let read = match check_type(&head.headers) {
            Ok(()) => read_up_to(limits.body_bytes, &mut body).await,
            Err(refusal) => Err(refusal),
        };
        // A client that asked whether to send the body has not begun.
        if read.is_err() && !head.headers.contains_key(EXPECT) {
            discard(&mut body).await;
        }
        read
    };
    let late = ServeError::BodyTimeout { limit: limits.body_timeout };
    tokio::time::timeout(limits.body_timeout, read).await.unwrap_or(Err(late))
}

async fn read_up_to(limit: usize, body: &mut Body) -> Result<Vec<u8>, ServeError> {
    /// What is believed of an announced length before the bytes are there.
    const RESERVED: usize = 64 << 10;
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > limit {
        return Err(ServeError::BodyTooLong { limit });
    }
    let mut whole = Vec::with_capacity(announced.min(RESERVED));
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| ServeError::BodyBrokenOff)?;
        let Ok(chunk) = frame.into_data() else { continue };
        if chunk.len() > limit - whole.len() {
            return Err(ServeError::BodyTooLong { limit });
        }
        whole.extend_from_slice(&chunk);
    }
    Ok(whole)
}

/// Takes the rest of a body that is refused, if it is not huge. Most clients look at the answer only when they have sent
/// everything, and see a broken connection if the server closes it before.
async fn discard(body: &mut Body) {
    const WORTHWHILE: usize = 64 << 20;
    let mut left = WORTHWHILE.checked_sub(usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX));
    while let (Some(bytes), Some(Ok(frame))) = (left, body.frame().await) {
        left = bytes.checked_sub(frame.into_data().map_or(0, |chunk| chunk.len()));
    }
}

/// Refuses types that were meant as something other than JSON.
fn check_type(headers: &HeaderMap) -> Result<(), ServeError> {
    if let Some(given) = headers.get(CONTENT_ENCODING).filter(|given| *given != "identity") {
        return Err(ServeError::ContentEncoding { given: String::from_utf8_lossy(given.as_bytes()).into_owned() });
    }
    let Some(given) = headers.get(CONTENT_TYPE) else { return Ok(()) };
    let given = String::from_utf8_lossy(given.as_bytes());
    let essence = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match essence.as_str() {
        "" | "application/json" | "text/json" | "text/plain" | "application/x-www-form-urlencoded" => Ok(()),
        other if other.ends_with("+json") => Ok(()),
        _ => Err(ServeError::ContentType { given: given.into_owned() }),
    }
}
