//! From the body of a request to its answer: at once where it is short, piece by piece where it is long.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::body::{Incoming, Read};
use super::observe::Scored;
use super::outgoing::Outgoing;
use super::reply;
use crate::app::AppState;
use crate::error::ServeError;
use crate::metrics::Protocol;
use crate::registry::ServedModel;
use crate::service::{Policy, Scoring, Work};
use crate::wire::{Exchange, Format};

/// What a request says besides its body.
pub(crate) struct Asked {
    pub served: Arc<ServedModel>,
    pub policy: Policy,
    pub from: Format,
    pub to: Format,
}

/// Reads the body of a request, and answers it. Whatever is refused, the client gets to send its body, and so to read why.
pub(crate) async fn score(
    state: &Arc<AppState>,
    request: Request,
    asked: impl FnOnce(&HeaderMap) -> Result<Asked, ServeError>,
) -> Result<Response, ServeError> {
    let (head, body) = request.into_parts();
    let mut incoming = Incoming::new(&head.headers, body, state.service.limits())?;
    let asked = match asked(&head.headers) {
        Ok(asked) => asked,
        Err(refusal) => {
            incoming.discard().await;
            return Err(refusal);
        }
    };
    let mut scored = Scored { served: Arc::clone(&asked.served), protocol: Protocol::Rest, rows: 0 };
    let mut conversation = Conversation { state: Arc::clone(state), incoming, exchange: None };
    let mut response = match conversation.begin(asked, &mut scored.rows).await {
        Ok(Begun::Answered(response)) => response,
        Ok(Begun::GoesOn(start, mut response)) => {
            *response.body_mut() = conversation.go_on(start);
            response
        }
        Err(refusal) => {
            conversation.incoming.discard().await;
            refusal.into_response()
        }
    };
    response.extensions_mut().insert(scored);
    Ok(response)
}

/// A body that is read while its answer is made.
struct Conversation {
    state: Arc<AppState>,
    incoming: Incoming,
    exchange: Option<Exchange>,
}

enum Begun {
    Answered(Response),
    /// The body goes on after the start of the answer.
    GoesOn(Vec<u8>, Response),
}

impl Conversation {
    /// The answer to a short body; of a long one the start. Until there is one, whatever is wrong has a status of its own.
    async fn begin(&mut self, asked: Asked, rows: &mut usize) -> Result<Begun, ServeError> {
        const AT_ONCE: usize = 1 << 20;
        const START: usize = 1 << 16;
        let Asked { served, policy, from, to } = asked;
        let limits = self.state.service.limits();
        let mut exchange = Exchange::new(Scoring::new(Arc::clone(&served), policy)?, from, to, limits)?;
        let read = if from.is_streamed() {
            self.incoming.start(AT_ONCE.min(limits.body_bytes)).await?
        } else {
            Read::Whole(self.incoming.whole().await?)
        };
        let mut answer = match read {
            Read::Whole(body) => {
                let work = Work::new(body.len(), most_rows(&body, from, &served), &served);
                let job = move || Ok((exchange.answer(body)?, exchange));
                let (answer, exchange) = self.state.service.compute(work, self.state.service.deadline(), job).await?;
                *rows = exchange.rows();
                let response = reply::typed(StatusCode::OK, to.media_type(), answer);
                return Ok(Begun::Answered(with_head(response, &served, Some(&exchange))));
            }
            Read::Part(part) => {
                self.exchange = Some(exchange);
                self.push(part).await?
            }
        };
        while answer.len() < START {
            let Some(more) = self.next().await? else {
                let exchange = self.exchange.as_ref();
                *rows = exchange.map_or(0, Exchange::rows);
                let response = reply::typed(StatusCode::OK, to.media_type(), answer);
                return Ok(Begun::Answered(with_head(response, &served, exchange)));
            };
            answer.extend(more);
        }
        let response = reply::typed(StatusCode::OK, to.media_type(), Body::empty());
        Ok(Begun::GoesOn(answer, with_head(response, &served, None)))
    }

    /// The rest of the answer, which is made as fast as the client takes it and sends its rows.
    fn go_on(mut self, start: Vec<u8>) -> Body {
        let limits = *self.state.service.limits();
        let (mut outgoing, body) = Outgoing::new(limits.answer_bytes, limits.write_timeout);
        tokio::spawn(async move {
            let spoken = async {
                outgoing.send(start).await?;
                while let Some(more) = self.next().await? {
                    outgoing.send(more).await?;
                }
                Ok::<(), ServeError>(())
            };
            if let Err(refusal) = spoken.await {
                // The status is sent already: the client sees an answer that breaks off.
                tracing::warn!(code = refusal.code(), reason = %refusal, "an answer was broken off");
                outgoing.break_off();
            }
        });
        body
    }

    /// What the next bytes of the body add to the answer; `None` at the end.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, ServeError> {
        /// So much that handing it over is worth while.
        const WORTHWHILE: usize = 1 << 18;
        if self.exchange.as_ref().is_none_or(Exchange::is_finished) {
            return Ok(None);
        }
        match self.incoming.start(WORTHWHILE).await? {
            Read::Part(part) => self.push(part).await.map(Some),
            Read::Whole(last) => {
                let mut answer = self.push(last).await?;
                answer.extend(self.compute(0, Exchange::finish).await?);
                Ok(Some(answer))
            }
        }
    }

    async fn push(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, ServeError> {
        self.compute(bytes.len(), move |exchange| exchange.push(bytes)).await
    }

    async fn compute<T: Send + 'static>(
        &mut self,
        bytes: usize,
        job: impl FnOnce(&mut Exchange) -> Result<T, ServeError> + Send + 'static,
    ) -> Result<T, ServeError> {
        let mut exchange = self.exchange.take().ok_or(ServeError::Internal)?;
        let work = Work::new(bytes, 0, exchange.served());
        let job = move || Ok((job(&mut exchange)?, exchange));
        let (done, exchange) = self.state.service.compute(work, self.state.service.deadline(), job).await?;
        self.exchange = Some(exchange);
        Ok(done)
    }
}

/// Names the version that answers, and what was noticed where the format of the answer has no place for it.
fn with_head(mut response: Response, served: &ServedModel, exchange: Option<&Exchange>) -> Response {
    const VERSION: HeaderName = HeaderName::from_static("x-model-version");
    const WARNINGS: HeaderName = HeaderName::from_static("x-warnings");
    let headers = response.headers_mut();
    if let Ok(version) = HeaderValue::from_str(served.version().as_str()) {
        headers.insert(VERSION, version);
    }
    let warnings = exchange.map(Exchange::warnings).unwrap_or_default();
    let spelled = (!warnings.is_empty()).then(|| serde_json::to_vec(&warnings));
    if let Some(value) = spelled.and_then(Result::ok).and_then(|json| HeaderValue::from_bytes(&json).ok()) {
        headers.insert(WARNINGS, value);
    }
    response
}

/// A bound on the number of rows of a body.
#[expect(clippy::naive_bytecount, reason = "next to reading the body it is nothing")]
fn most_rows(body: &[u8], format: Format, served: &ServedModel) -> usize {
    let count = |byte: u8| body.iter().filter(|&&b| b == byte).count();
    match format {
        // None is without a brace.
        Format::Json | Format::NdJson => count(b'{'),
        Format::Csv => count(b'\n') + 1,
        // A number takes eight bytes, unless it is packed.
        Format::Arrow | Format::Parquet => body.len() / (8 * served.columns().max(1)),
    }
}
