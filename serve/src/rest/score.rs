//! `POST /score` and `POST /models/NAME/score`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;

use crate::app::AppState;
use crate::error::ServeError;
use crate::http::Named;
use crate::http::answer::{self, Asked};
use crate::service::{Policy, Setting};
use crate::wire::Format;

pub(super) async fn score(
    State(state): State<Arc<AppState>>,
    named: Result<Named, ServeError>,
    request: Request,
) -> Result<Response, ServeError> {
    let query = request.uri().query().map(str::to_owned);
    answer::score(&state, request, |headers| {
        let named = named?;
        let served = state.service.model(named.name(), named.version())?;
        let policy = query.map_or(Ok(served.policy()), |query| policy(served.policy(), &query))?;
        let from = Format::of_body(headers)?;
        Ok(Asked { served, policy, from, to: from.of_answer(headers)? })
    })
    .await
}

/// The policy of a model, changed by a query.
fn policy(mut policy: Policy, text: &str) -> Result<Policy, ServeError> {
    for (name, value) in form_urlencoded::parse(text.as_bytes()) {
        if !policy.set(&name, Setting::Text(&value))? {
            return Err(ServeError::UnknownOption { option: name.into_owned(), expected: Policy::OPTIONS.join(", ") });
        }
    }
    Ok(policy)
}
