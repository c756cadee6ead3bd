//! The connection to a server.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;

use bazel_remote_apis::build::bazel::remote::execution::v2::capabilities_client::CapabilitiesClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::content_addressable_storage_client::ContentAddressableStorageClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::execution_client::ExecutionClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    BatchUpdateBlobsRequest, Digest, ExecuteRequest, ExecuteResponse, FindMissingBlobsRequest,
    GetCapabilitiesRequest, RequestMetadata, ServerCapabilities, ToolDetails, WaitExecutionRequest,
    batch_update_blobs_request,
};
use bazel_remote_apis::google::bytestream::byte_stream_client::ByteStreamClient;
use bazel_remote_apis::google::bytestream::{ReadRequest, WriteRequest};
use bazel_remote_apis::google::longrunning::operations_client::OperationsClient;
use bazel_remote_apis::google::longrunning::{CancelOperationRequest, Operation, operation};
use prost::Message;
use tokio::sync::watch;
use tokio::time::timeout;
use tonic::metadata::{KeyAndValueRef, MetadataMap, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status, Streaming};

use crate::access::{Access, causes};
use crate::blobs::{Blob, Function};
use crate::error::{Error, Kind};
use crate::fault::Fault;
use crate::job::Task;

/// Many servers allow a hundred requests in one connection.
const PER_CHANNEL: usize = 60;
/// gRPC accepts no larger messages by default; the rest is for the frame of the message.
const LARGEST_MESSAGE: usize = (4 << 20) - (64 << 10);
/// Answers may be longer: the output of a test is part of one.
const LARGEST_ANSWER: usize = 1 << 30;
/// The size of the pieces of a large content.
const PIECE: usize = 1 << 20;
/// The most digests in one request.
const DIGESTS: usize = 20_000;
/// The time limit of the first connection, and of the first answer.
const CONNECTING: Duration = Duration::from_secs(20);
/// The time limit for the server to name an operation that has to be cancelled, and to cancel it.
const CANCELLING: Duration = Duration::from_secs(10);

/// A connection to a server.
pub(crate) struct Connection {
    access: Access,
    channels: Vec<Channel>,
    headers: Headers,
    pub(crate) function: Function,
    /// The most bytes that are sent in one message.
    batch: usize,
    /// The shared contents of all candidates that the server has.
    known: Mutex<HashSet<String>>,
}

type Service = InterceptedService<Channel, Headers>;

/// Adds the headers to each request.
#[derive(Clone)]
pub(crate) struct Headers(Arc<RwLock<MetadataMap>>);

impl Interceptor for Headers {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let headers = self.0.read().expect("nothing panics with this lock");
        for header in headers.iter() {
            match header {
                KeyAndValueRef::Ascii(name, value) => {
                    request.metadata_mut().insert(name, value.clone());
                }
                KeyAndValueRef::Binary(name, value) => {
                    request.metadata_mut().insert_bin(name, value.clone());
                }
            }
        }
        Ok(request)
    }
}

/// How an action ended.
pub(crate) enum Ended {
    /// The server has an answer; its status has to be checked.
    Answered(Box<ExecuteResponse>),
    /// It was cancelled by this client.
    Cancelled,
}

impl Connection {
    /// Connects, and asks the server for its abilities. `width` is the number of actions in flight.
    pub(crate) async fn open(access: Access, width: usize) -> Result<Connection, Error> {
        let metadata = access.metadata()?;
        let endpoint = access
            .endpoint()?
            .user_agent(concat!("lop/", env!("CARGO_PKG_VERSION")))
            .map_err(|error| absent(&access, &causes(&error)))?
            .connect_timeout(CONNECTING)
            .tcp_nodelay(true)
            .http2_adaptive_window(true)
            // Servers close connections that ask whether they are alive more often than every five minutes; the system
            // may ask.
            .tcp_keepalive(Some(Duration::from_secs(30)))
            .tcp_keepalive_interval(Some(Duration::from_secs(10)))
            .tcp_keepalive_retries(Some(3))
            .http2_keep_alive_interval(Duration::from_secs(330))
            .keep_alive_timeout(Duration::from_secs(30));
        let first = connect(&endpoint, &access).await?;
        let more = (0..width.div_ceil(PER_CHANNEL)).map(|_| endpoint.connect_lazy());
        let channels: Vec<Channel> = std::iter::once(first).chain(more).collect();
        let headers = Headers(Arc::new(RwLock::new(with_tool(metadata))));
        let instance_name = access.instance.clone();
        let service = InterceptedService::new(channels[0].clone(), headers.clone());
        let request = GetCapabilitiesRequest { instance_name };
        let mut client = CapabilitiesClient::new(service);
        let answer = timeout(CONNECTING, client.get_capabilities(request)).await;
        let answer = answer.unwrap_or_else(|_| {
            Err(Status::deadline_exceeded(format!("no answer in {} s", CONNECTING.as_secs())))
        });
        let server = answer.map_err(|status| not_a_server(&access, &status))?.into_inner();
        let function = check(&server, &access)?;
        let most = server.cache_capabilities.map_or(0, |it| it.max_batch_total_size_bytes);
        let most = usize::try_from(most).unwrap_or(0);
        let batch = if most == 0 { LARGEST_MESSAGE } else { most.min(LARGEST_MESSAGE) };
        let known = Mutex::default();
        Ok(Connection { access, channels, headers, function, batch, known })
    }

    /// The access to the server.
    pub(crate) fn access(&self) -> &Access {
        &self.access
    }

    /// Reads the secrets again: tokens expire.
    pub(crate) fn renew(&self) -> Result<(), Error> {
        let metadata = with_tool(self.access.metadata()?);
        *self.headers.0.write().expect("nothing panics with this lock") = metadata;
        Ok(())
    }

    /// Forgets which contents the server has.
    pub(crate) fn forget(&self) {
        self.known.lock().expect("nothing panics with this lock").clear();
    }

    /// The channel of short requests.
    fn short(&self) -> Service {
        InterceptedService::new(self.channels[0].clone(), self.headers.clone())
    }

    /// The channel of a worker's actions.
    fn long(&self, slot: usize) -> Service {
        let number = 1 + slot / PER_CHANNEL % (self.channels.len() - 1).max(1);
        let channel = self.channels[number.min(self.channels.len() - 1)].clone();
        InterceptedService::new(channel, self.headers.clone())
    }

    /// Sends the contents of a task that the server lacks.
    pub(crate) async fn upload(&self, task: &Task) -> Result<(), Fault> {
        let stock: Vec<&Blob> = {
            let known = self.known.lock().expect("nothing panics with this lock");
            task.stock.iter().filter(|blob| !known.contains(&blob.digest.hash)).collect()
        };
        let mut seen = HashSet::new();
        let wanted = stock.iter().copied().chain(&task.fresh);
        let wanted: Vec<&Blob> = wanted.filter(|it| seen.insert(&it.digest.hash)).collect();
        let missing = self.missing(&wanted).await?;
        let mut batch: Vec<&Blob> = Vec::new();
        let mut size = 0;
        for blob in wanted.iter().filter(|blob| missing.contains(&blob.digest.hash)) {
            // The digest and the frame of a content take a few hundred bytes.
            let length = blob.bytes.len() + 512;
            if length > self.batch {
                self.write(blob).await?;
                continue;
            }
            if size + length > self.batch {
                self.update(&batch).await?;
                (batch, size) = (Vec::new(), 0);
            }
            batch.push(blob);
            size += length;
        }
        if !batch.is_empty() {
            self.update(&batch).await?;
        }
        let hashes = stock.iter().map(|blob| blob.digest.hash.clone());
        self.known.lock().expect("nothing panics with this lock").extend(hashes);
        Ok(())
    }

    async fn missing(&self, blobs: &[&Blob]) -> Result<HashSet<String>, Fault> {
        let mut missing = HashSet::new();
        for part in blobs.chunks(DIGESTS) {
            let request = FindMissingBlobsRequest {
                instance_name: self.access.instance.clone(),
                blob_digests: part.iter().map(|blob| blob.digest.clone()).collect(),
                digest_function: self.function.number(),
            };
            let mut client = ContentAddressableStorageClient::new(self.short())
                .max_decoding_message_size(LARGEST_ANSWER);
            let answer = client.find_missing_blobs(request).await;
            let answer = answer.map_err(|status| Fault::of_call(&status))?.into_inner();
            missing.extend(answer.missing_blob_digests.into_iter().map(|digest| digest.hash));
        }
        Ok(missing)
    }

    async fn update(&self, blobs: &[&Blob]) -> Result<(), Fault> {
        let request = |blob: &&Blob| batch_update_blobs_request::Request {
            digest: Some(blob.digest.clone()),
            data: blob.bytes.to_vec(),
            ..Default::default()
        };
        let request = BatchUpdateBlobsRequest {
            instance_name: self.access.instance.clone(),
            requests: blobs.iter().map(request).collect(),
            digest_function: self.function.number(),
        };
        let mut client = ContentAddressableStorageClient::new(self.short());
        let answer = client.batch_update_blobs(request).await;
        let answer = answer.map_err(|status| Fault::of_call(&status))?.into_inner();
        let statuses = answer.responses.into_iter().filter_map(|response| response.status);
        match statuses.into_iter().find(|status| status.code != Code::Ok as i32) {
            None => Ok(()),
            Some(status) => {
                let code = Code::from(status.code);
                Err(Fault::of_call(&Status::new(code, status.message)))
            }
        }
    }

    /// Sends a content in pieces.
    async fn write(&self, blob: &Blob) -> Result<(), Fault> {
        let (bytes, size) = (blob.bytes.clone(), blob.bytes.len());
        let name = format!("uploads/{}/blobs/{}/{size}", random_name(), blob.digest.hash);
        let resource_name = self.resource(&name);
        let pieces = (0..size.div_ceil(PIECE).max(1)).map(move |number| {
            let (start, end) = (number * PIECE, ((number + 1) * PIECE).min(size));
            WriteRequest {
                resource_name: if number == 0 { resource_name.clone() } else { String::new() },
                write_offset: start as i64,
                finish_write: end == size,
                data: bytes[start..end].to_vec(),
            }
        });
        let mut client = ByteStreamClient::new(self.short());
        let answer = client.write(tokio_stream::iter(pieces)).await;
        let committed = answer.map_err(|status| Fault::of_call(&status))?.into_inner();
        match committed.committed_size == size as i64 {
            true => Ok(()),
            false => Err(Fault::Away(format!(
                "the server took {} of {size} bytes",
                committed.committed_size
            ))),
        }
    }

    /// Reads a content.
    pub(crate) async fn read(&self, digest: &Digest) -> Result<Vec<u8>, Fault> {
        let name = format!("blobs/{}/{}", digest.hash, digest.size_bytes);
        let resource_name = self.resource(&name);
        let mut client =
            ByteStreamClient::new(self.short()).max_decoding_message_size(LARGEST_ANSWER);
        let answer = client.read(ReadRequest { resource_name, ..Default::default() }).await;
        let mut stream = answer.map_err(|status| Fault::of_call(&status))?.into_inner();
        let mut content = Vec::new();
        while let Some(piece) = stream.message().await.map_err(|it| Fault::of_call(&it))? {
            content.extend(piece.data);
        }
        match self.function.digest(&content) == *digest {
            true => Ok(content),
            false => Err(Fault::Lost("the server sent another output than it promised".into())),
        }
    }

    fn resource(&self, name: &str) -> String {
        match self.access.instance.is_empty() {
            true => name.to_owned(),
            false => format!("{}/{name}", self.access.instance),
        }
    }

    /// Has an action executed and waits for its end. If `cancelled` becomes true meanwhile, the action is cancelled on
    /// the server: dropping the connection would leave the test running.
    pub(crate) async fn execute(
        &self,
        slot: usize,
        action: &Digest,
        skip_cache_lookup: bool,
        mut cancelled: watch::Receiver<bool>,
    ) -> Result<Ended, Fault> {
        let request = ExecuteRequest {
            instance_name: self.access.instance.clone(),
            skip_cache_lookup,
            action_digest: Some(action.clone()),
            digest_function: self.function.number(),
            inline_stdout: true,
            inline_stderr: true,
            ..Default::default()
        };
        let mut client =
            ExecutionClient::new(self.long(slot)).max_decoding_message_size(LARGEST_ANSWER);
        let answer = client.execute(request).await;
        let mut stream = answer.map_err(|status| Fault::of_call(&status))?.into_inner();
        let mut name = String::new();
        let mut waits = 0;
        loop {
            let next = tokio::select! {
                next = next(&mut stream, &mut name) => next,
                () = cancellation(&mut cancelled) => {
                    self.cancel(stream, name).await;
                    return Ok(Ended::Cancelled);
                }
            };
            match next {
                Ok(Some(response)) => return Ok(Ended::Answered(Box::new(response))),
                // A server may end the stream before the action ends, and proxies do so after a while.
                Ok(None) if !name.is_empty() && waits < 1000 => {}
                Ok(None) => return Err(Fault::Lost("the server forgot the action".into())),
                Err(fault) => return Err(fault),
            }
            waits += 1;
            let request = WaitExecutionRequest { name: name.clone() };
            stream = match client.wait_execution(request).await {
                Ok(answer) => answer.into_inner(),
                Err(status) if status.code() == Code::NotFound => {
                    return Err(Fault::Lost("the server forgot the action".into()));
                }
                Err(status) => return Err(Fault::of_call(&status)),
            };
        }
    }

    /// Cancels an operation on the server, as soon as its name is known.
    async fn cancel(&self, mut stream: Streaming<Operation>, mut name: String) {
        let cancelling = async {
            while name.is_empty() {
                match next_message(&mut stream, &mut name).await {
                    Ok(Some(operation)) if !operation.done => {}
                    _ => return,
                }
            }
            let mut client = OperationsClient::new(self.short());
            // It may have ended, and a server need not know this request: nothing more can be done.
            let _ = client.cancel_operation(CancelOperationRequest { name }).await;
        };
        let _ = timeout(CANCELLING, cancelling).await;
    }
}

/// Waits until a request is cancelled.
pub(crate) async fn cancellation(cancelled: &mut watch::Receiver<bool>) {
    if cancelled.wait_for(|is| *is).await.is_err() {
        // Nothing can cancel it any more.
        std::future::pending::<()>().await;
    }
}

/// The next message of a stream; notes the name of the operation.
async fn next_message(
    stream: &mut Streaming<Operation>,
    name: &mut String,
) -> Result<Option<Operation>, Status> {
    let message = stream.message().await?;
    if let Some(operation) = &message
        && name.is_empty()
    {
        name.clone_from(&operation.name);
    }
    Ok(message)
}

/// Waits for the end of an operation; `None` if the stream ends before it.
async fn next(
    stream: &mut Streaming<Operation>,
    name: &mut String,
) -> Result<Option<ExecuteResponse>, Fault> {
    loop {
        let message = next_message(stream, name).await.map_err(|it| Fault::of_call(&it))?;
        let Some(operation) = message else { return Ok(None) };
        match operation.result {
            _ if !operation.done => {}
            Some(operation::Result::Error(status)) => {
                return Err(Fault::of_action(status.code, &status.message));
            }
            Some(operation::Result::Response(any)) => {
                let response = ExecuteResponse::decode(&*any.value);
                let wrong = |_| Fault::Lost("the answer of the server cannot be read".into());
                return response.map(Some).map_err(wrong);
            }
            None => return Err(Fault::Lost("the server answered nothing".into())),
        }
    }
}

async fn connect(endpoint: &Endpoint, access: &Access) -> Result<Channel, Error> {
    endpoint.connect().await.map_err(|error| {
        let why = causes(&error);
        let is_about_tls = ["certificate", "tls", "TLS", "handshake", "corrupt message"]
            .iter()
            .any(|word| why.contains(word));
        match is_about_tls {
            true => {
                let message = format!("no encrypted connection to `{}`: {why}", access.address);
                let cure = "check --remote-ca, --remote-cert and --remote-key, and whether the server uses TLS at \
                            all (grpc:// is without)";
                Error::new(Kind::Server, message, cure)
            }
            false => absent(access, &why),
        }
    })
}

fn absent(access: &Access, why: &str) -> Error {
    let message = format!("cannot reach the server `{}`: {why}", access.address);
    Error::new(Kind::Server, message, "check the address, and whether the server runs")
}

fn not_a_server(access: &Access, status: &Status) -> Error {
    let why = Fault::of_call(status);
    let why = why.why();
    let cure = match status.code() {
        Code::Unauthenticated => "give a token with --remote-token, or check it",
        Code::PermissionDenied => "check the token, and whether it may use this instance",
        Code::Unimplemented => "the address must be that of a server of the Remote Execution API",
        Code::InvalidArgument | Code::NotFound => "check --remote-instance",
        // A server that requires a certificate closes the connection, and its reason may come too late.
        _ if access.address.is_encrypted() => {
            "check --remote-cert and --remote-key: the server may want a client certificate"
        }
        _ => "check the address: grpcs:// is with TLS, grpc:// without",
    };
    let message = format!("the server `{}` does not say what it can do: {why}", access.address);
    Error::new(Kind::Server, message, cure)
}

/// Checks that a server can run actions; returns the function of its digests.
fn check(server: &ServerCapabilities, access: &Access) -> Result<Function, Error> {
    let address = &access.address;
    if !server.execution_capabilities.as_ref().is_some_and(|it| it.exec_enabled) {
        let message =
            format!("the server `{address}` only stores results: it has no Execution service");
        let cure = "use a server with workers, or another --remote-instance";
        return Err(Error::new(Kind::Server, message, cure));
    }
    Function::choose(server).map_err(|names| {
        let message =
            format!("the server `{address}` has no digest function that lop knows: {names}");
        Error::new(Kind::Server, message, "configure SHA256 there")
    })
}

/// Adds the name of this tool, which servers show in their logs.
fn with_tool(mut metadata: MetadataMap) -> MetadataMap {
    let tool_name = "lop".into();
    let tool_version = env!("CARGO_PKG_VERSION").into();
    let tool_details = Some(ToolDetails { tool_name, tool_version });
    let request = RequestMetadata { tool_details, ..Default::default() };
    let value = MetadataValue::from_bytes(&request.encode_to_vec());
    metadata.insert_bin("build.bazel.remote.execution.v2.requestmetadata-bin", value);
    metadata
}

/// A name that no other upload has, in the form of a UUID.
fn random_name() -> String {
    let [a, b] = [0, 1].map(|number: u8| RandomState::new().hash_one(number));
    let c = (b >> 48) as u16 & 0x3fff | 0x8000;
    format!(
        "{:08x}-{:04x}-4{:03x}-{c:04x}-{:012x}",
        a >> 32,
        a >> 16 & 0xffff,
        a & 0xfff,
        b & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use bazel_remote_apis::build::bazel::remote::execution::v2::ExecutionCapabilities;

    use super::*;

    #[test]
    fn a_server_that_executes_nothing_is_refused() {
        let access = Access::new("grpc://localhost:1".parse().unwrap());
        let error = check(&ServerCapabilities::default(), &access).unwrap_err();
        assert!(error.to_string().contains("no Execution service"), "{error}");
        let execution_capabilities =
            Some(ExecutionCapabilities { exec_enabled: true, ..Default::default() });
        let server = ServerCapabilities { execution_capabilities, ..Default::default() };
        assert_eq!(check(&server, &access).unwrap(), Function::Sha256);
    }

    #[test]
    fn uploads_have_names_of_their_own() {
        let names: HashSet<String> = (0..100).map(|_| random_name()).collect();
        assert_eq!(names.len(), 100);
        for name in names {
            let lengths: Vec<usize> = name.split('-').map(str::len).collect();
            assert_eq!(lengths, [8, 4, 4, 4, 12], "{name}");
        }
    }
}
