//! Encryption, client certificates and tokens.
//!
//! The server of the other tests has none of these: a proxy before it does.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use bazel_remote_apis::build::bazel::remote::execution::v2::capabilities_server::{
    Capabilities, CapabilitiesServer,
};
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    GetCapabilitiesRequest, ServerCapabilities,
};
use lop::{Cancel, Status};
use lop_remote::{Access, Header, Options, Remote, Source, Tls};
use rcgen::{CertificateParams, CertifiedIssuer, ExtendedKeyUsagePurpose, IsCa, KeyPair};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig, crypto::ring};
use tokio_stream::wrappers::TcpListenerStream;

use super::cluster::Cluster;
use super::{Test, run};

/// Certificates of a server and a client, signed by the same authority, in files.
struct Certificates {
    place: tempfile::TempDir,
    authority: CertificateDer<'static>,
    server: (CertificateDer<'static>, PrivateKeyDer<'static>),
}

impl Certificates {
    fn new() -> Certificates {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let signed = |names: &[&str], purpose| {
            let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
            let mut params = CertificateParams::new(names).unwrap();
            params.extended_key_usages = vec![purpose];
            let key = KeyPair::generate().unwrap();
            (params.signed_by(&key, &issuer).unwrap(), key)
        };
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, text: String| fs::write(place.path().join(name), text).unwrap();
        write("ca.pem", issuer.pem());
        let (client, key) = signed(&["client"], ExtendedKeyUsagePurpose::ClientAuth);
        write("client.pem", client.pem());
        write("client.key", key.serialize_pem());
        let (server, key) = signed(&["localhost"], ExtendedKeyUsagePurpose::ServerAuth);
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let authority = issuer.der().clone();
        Certificates { place, authority, server: (server.der().clone(), key) }
    }

    fn file(&self, name: &str) -> Option<PathBuf> {
        Some(self.place.path().join(name))
    }

    /// Takes encrypted connections from clients with a certificate.
    fn acceptor(&self) -> TlsAcceptor {
        let mut roots = RootCertStore::empty();
        roots.add(self.authority.clone()).unwrap();
        let provider = Arc::new(ring::default_provider());
        let builder =
            WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone());
        let (certificate, key) = (self.server.0.clone(), self.server.1.clone_key());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(builder.build().unwrap())
            .with_single_cert(vec![certificate], key)
            .unwrap();
        config.alpn_protocols = vec![b"h2".to_vec()];
        TlsAcceptor::from(Arc::new(config))
    }
}

/// Takes encrypted connections and hands what they say to another port, as long as the runtime lives.
fn proxy(runtime: &tokio::runtime::Runtime, acceptor: TlsAcceptor, port: u16) -> SocketAddr {
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    runtime.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(mut client) = acceptor.accept(stream).await else { return };
                let Ok(mut server) = TcpStream::connect(("127.0.0.1", port)).await else { return };
                let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
            });
        }
    });
    address
}

#[test]
fn tests_run_through_an_encrypted_connection_with_a_client_certificate() {
    let Some(cluster) = Cluster::start() else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let certificates = Certificates::new();
    let address = proxy(&runtime, certificates.acceptor(), cluster.port());
    let test = Test::new("exit 5");
    let connect = |host: &str, tls: Tls| {
        let mut options = test.options(&cluster);
        options.access.address = format!("{host}:{}", address.port()).parse().unwrap();
        options.access.tls = tls;
        Remote::new(options, &Cancel::default())
    };
    let authority = certificates.file("ca.pem");
    let (certificate, key) = (certificates.file("client.pem"), certificates.file("client.key"));
    let tls = Tls { authority, certificate, key };
    let remote = connect("grpcs://localhost", tls.clone()).unwrap();
    assert_eq!(run(&remote, "x").unwrap().status, Status::Exit(5));

    let nameless = Tls { certificate: None, key: None, ..tls.clone() };
    let unknown = Tls { authority: None, ..tls.clone() };
    let wrong_name = connect("grpcs://127.0.0.1", tls).err().unwrap().to_string();
    assert!(wrong_name.contains("encrypted") && wrong_name.contains("ertificate"), "{wrong_name}");
    let unknown = connect("grpcs://localhost", unknown).err().unwrap().to_string();
    assert!(unknown.contains("encrypted") && unknown.contains("UnknownIssuer"), "{unknown}");
    let nameless = connect("grpcs://localhost", nameless).err().unwrap();
    assert!(nameless.cure().contains("--remote-cert"), "{nameless}: {}", nameless.cure());
    let plain = connect("grpc://localhost", Tls::default()).err().unwrap();
    assert!(plain.cure().contains("grpcs://"), "{plain}: {}", plain.cure());
}

/// A server that notes what it is sent, and executes nothing.
#[derive(Clone, Default)]
struct Porter {
    seen: Arc<Mutex<Vec<String>>>,
}

#[tonic::async_trait]
impl Capabilities for Porter {
    async fn get_capabilities(
        &self,
        request: tonic::Request<GetCapabilitiesRequest>,
    ) -> Result<tonic::Response<ServerCapabilities>, tonic::Status> {
        let header = |name: &str| {
            request.metadata().get(name).map_or("", |value| value.to_str().unwrap()).to_owned()
        };
        let instance = request.get_ref().instance_name.clone();
        self.seen.lock().unwrap().extend([header("authorization"), header("x-team"), instance]);
        match header("authorization").is_empty() {
            true => Err(tonic::Status::unauthenticated("who are you?")),
            false => Ok(tonic::Response::new(ServerCapabilities::default())),
        }
    }
}

#[test]
fn a_token_and_headers_are_sent_with_requests() {
    let porter = Porter::default();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    let service = CapabilitiesServer::new(porter.clone());
    let server = tonic::transport::Server::builder().add_service(service);
    runtime.spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));

    let test = Test::new("true");
    let connect = |headers: Vec<Header>| {
        let mut access = Access::new(format!("grpc://{address}").parse().unwrap());
        access.instance = "main".into();
        access.headers = headers;
        Remote::new(Options::new(access, test.command(), test.setup.clone()), &Cancel::default())
            .err()
            .unwrap()
    };
    let token = Source::File(test.file("token", "hunter2\n"));
    let team = Header::new("X-Team", Source::File(test.file("team", "compilers"))).unwrap();
    let error = connect(vec![Header::token(token), team]);
    assert!(error.to_string().contains("no Execution service"), "{error}");
    assert_eq!(*porter.seen.lock().unwrap(), ["Bearer hunter2", "compilers", "main"]);

    let error = connect(Vec::new());
    assert!(error.to_string().contains("who are you?"), "{error}");
    assert!(error.cure().contains("--remote-token"), "{}", error.cure());
    assert!(!format!("{error:?}").contains("hunter2"));
}
