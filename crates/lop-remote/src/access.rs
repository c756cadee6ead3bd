//! Access to a server: its address, certificates, and secrets that are read from files or variables.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use tonic::metadata::{Ascii, MetadataKey, MetadataMap, MetadataValue};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity};

use crate::error::{Error, Kind};

/// The access to a server.
#[derive(Clone, Debug)]
pub struct Access {
    /// Its address.
    pub address: Address,
    /// The instance of the server to use; many servers have one without a name.
    pub instance: String,
    /// The files of the encrypted connection.
    pub tls: Tls,
    /// The headers of each request.
    pub headers: Vec<Header>,
    /// How long a server may be unreachable before the run ends.
    pub patience: Duration,
}

/// The address of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    shown: String,
    /// The address in the words of HTTP.
    url: String,
    is_encrypted: bool,
    /// Whether the server is on this machine.
    is_near: bool,
    /// Whether it had a user or a password before the host; they aren't kept.
    had_secret: bool,
}

/// The files of an encrypted connection, in the PEM format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tls {
    /// The certificates that sign the server's, instead of those of the system.
    pub authority: Option<PathBuf>,
    /// The certificate of this client.
    pub certificate: Option<PathBuf>,
    /// The private key of this client.
    pub key: Option<PathBuf>,
}

/// A header of each request, with a secret value.
#[derive(Clone, Debug)]
pub struct Header {
    name: MetadataKey<Ascii>,
    value: Source,
    is_token: bool,
}

/// The source of a secret: never the command line, which other users of the machine can read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// A variable of the environment.
    Variable(String),
}

/// How long a server may be unreachable by default.
const PATIENCE: Duration = Duration::from_secs(180);

impl Access {
    /// Access without certificates and secrets.
    pub fn new(address: Address) -> Self {
        let (instance, tls, headers) = (String::new(), Tls::default(), Vec::new());
        Access { address, instance, tls, headers, patience: PATIENCE }
    }

    /// Reads the secrets.
    pub(crate) fn metadata(&self) -> Result<MetadataMap, Error> {
        if let Some(header) = self.headers.first()
            && !(self.address.is_encrypted || self.address.is_near)
        {
            let message = format!(
                "`{}` is not encrypted: everyone on the way would see the header `{}`",
                self.address, header.name
            );
            return Err(Error::new(Kind::Option, message, "use grpcs://"));
        }
        let mut metadata = MetadataMap::new();
        for header in &self.headers {
            metadata.insert(header.name.clone(), header.read()?);
        }
        Ok(metadata)
    }

    /// The server's endpoint.
    pub(crate) fn endpoint(&self) -> Result<Endpoint, Error> {
        let wrong = |error: &dyn fmt::Display| {
            let message = format!("cannot use the address `{}`: {error}", self.address);
            Error::new(Kind::Option, message, CURE)
        };
        if self.address.had_secret {
            let message = format!(
                "a user or a password stands before the host in the address `{}`",
                self.address
            );
            let cure = "others can read command lines: use --remote-token or --remote-header";
            return Err(Error::new(Kind::Option, message, cure));
        }
        let endpoint = Endpoint::from_shared(self.address.url.clone()).map_err(|e| wrong(&e))?;
        let Tls { authority, certificate, key } = &self.tls;
        let named = [("authority", authority), ("certificate", certificate), ("key", key)];
        if !self.address.is_encrypted {
            return match named.iter().find(|(_, file)| file.is_some()) {
                None => Ok(endpoint),
                Some((name, _)) => {
                    let message =
                        format!("`{}` is not encrypted, so the {name} is not used", self.address);
                    Err(Error::new(Kind::Option, message, "use grpcs://, or leave it out"))
                }
            };
        }
        let mut tls = ClientTlsConfig::new();
        tls = match authority {
            Some(file) => tls.ca_certificate(Certificate::from_pem(read(file, "authority")?)),
            None => tls.with_native_roots(),
        };
        match (certificate, key) {
            (Some(certificate), Some(key)) => {
                let (certificate, key) = (read(certificate, "certificate")?, read(key, "key")?);
                tls = tls.identity(Identity::from_pem(certificate, key));
            }
            (None, None) => {}
            _ => {
                let message =
                    "a client certificate needs its private key, and a key its certificate";
                return Err(Error::new(Kind::Option, message, "give both, or none of them"));
            }
        }
        endpoint.tls_config(tls).map_err(|error| {
            let message = format!("cannot use the certificates: {}", causes(&error));
            let cure = match (authority, certificate) {
                (None, None) => "name the certificates of the server's authority with --remote-ca",
                _ => "certificates and keys must be in the PEM format",
            };
            Error::new(Kind::Option, message, cure)
        })
    }
}

/// An error with its causes, each of which tells more.
pub(crate) fn causes(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_words = cause.to_string();
        if !words.contains(&cause_words) {
            words.push_str(": ");
            words.push_str(&cause_words);
        }
        next = cause.source();
    }
    words
}

fn read(file: &Path, what: &str) -> Result<String, Error> {
    std::fs::read_to_string(file).map_err(|error| {
        let message = format!("cannot read the {what} `{}`: {error}", file.display());
        Error::new(Kind::Option, message, "check the path, and whether you may read it")
    })
}

const CURE: &str = "write grpcs://HOST:PORT, or grpc://HOST:PORT for a server without encryption";

impl Address {
    pub(crate) fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (is_encrypted, rest) = match text.split_once("://") {
            Some(("grpc" | "http", rest)) => (false, rest),
            Some(("grpcs" | "https", rest)) => (true, rest),
            _ => return Err(CURE.into()),
        };
        let rest = rest.trim_end_matches('/');
        // It is refused later: a message about the text would show it.
        let (had_secret, rest) = match rest.rsplit_once('@') {
            Some((_, rest)) => (true, rest),
            None => (false, rest),
        };
        if rest.is_empty() || rest.contains(['/', '?', '#', ' ']) {
            return Err(CURE.into());
        }
        // An address of version 6 has colons, in brackets.
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            _ => (rest, None),
        };
        if host.is_empty() || port.is_some_and(|port| port.parse::<u16>().is_err()) {
            return Err(CURE.into());
        }
        let port = port.unwrap_or(if is_encrypted { "443" } else { "80" });
        let scheme = if is_encrypted { "https" } else { "http" };
        let is_near = host == "localhost" || host == "[::1]" || host.starts_with("127.");
        let url = format!("{scheme}://{host}:{port}");
        let shown = match (had_secret, is_encrypted) {
            (false, _) => text.to_owned(),
            (true, false) => format!("grpc://{rest}"),
            (true, true) => format!("grpcs://{rest}"),
        };
        Ok(Address { shown, url, is_encrypted, is_near, had_secret })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl Header {
    /// A header with any name.
    pub fn new(name: &str, value: Source) -> Result<Self, String> {
        let name = MetadataKey::from_bytes(name.to_ascii_lowercase().as_bytes());
        let name =
            name.map_err(|_| "the name of a header has letters, digits, - and _".to_owned())?;
        Ok(Header { name, value, is_token: false })
    }

    /// A bearer token.
    pub fn token(value: Source) -> Self {
        Header { name: MetadataKey::from_static("authorization"), value, is_token: true }
    }

    fn read(&self) -> Result<MetadataValue<Ascii>, Error> {
        let text = self.value.read()?;
        let text = if self.is_token { format!("Bearer {text}") } else { text };
        let value = MetadataValue::try_from(text).map_err(|_| {
            let message = format!("{} has characters that a header cannot have", self.value);
            Error::new(Kind::Option, message, "it must be one line of ASCII characters")
        });
        value.map(|mut value| {
            // This hides it in debug output of the map.
            value.set_sensitive(true);
            value
        })
    }
}

impl Source {
    fn read(&self) -> Result<String, Error> {
        let text = match self {
            Source::File(path) => std::fs::read_to_string(path).map_err(|e| e.to_string()),
            Source::Variable(name) => std::env::var(name).map_err(|error| match error {
                std::env::VarError::NotPresent => "it is not set".into(),
                std::env::VarError::NotUnicode(_) => "it is not text".into(),
            }),
        };
        let text = text.map(|text| text.trim().to_owned());
        let text = text.and_then(|text| match text.is_empty() {
            true => Err("it is empty".to_owned()),
            false => Ok(text),
        });
        text.map_err(|why| {
            let message = format!("cannot read a secret from {self}: {why}");
            Error::new(Kind::Option, message, "write the secret there, without anything else")
        })
    }
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("env:") {
            Some("") | None if text.len() <= 4 && text.starts_with("env:") || text.is_empty() => {
                Err("write a file, or env:NAME".into())
            }
            Some(name) => Ok(Source::Variable(name.into())),
            None => Ok(Source::File(text.into())),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => write!(f, "the file `{}`", path.display()),
            Source::Variable(name) => write!(f, "the variable `{name}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_whether_it_is_encrypted_and_has_no_secret() {
        let url = |text: &str| text.parse::<Address>().map(|address| address.url);
        assert_eq!(url("grpc://localhost:50051").unwrap(), "http://localhost:50051");
        assert_eq!(url("grpcs://build.example.com").unwrap(), "https://build.example.com:443");
        assert_eq!(url("grpcs://[::1]:7/").unwrap(), "https://[::1]:7");
        assert_eq!(url("grpcs://[::1]").unwrap(), "https://[::1]:443");
        for wrong in ["", "host:1", "grpc://", "ftp://x", "grpc://a:b", "grpc://a/b", "grpc://:1"] {
            assert_eq!(url(wrong).unwrap_err(), CURE, "{wrong}");
        }
        let secret: Address = "grpcs://me:password@host".parse().unwrap();
        let error = Access::new(secret.clone()).endpoint().unwrap_err();
        assert!(error.cure().contains("--remote-token"));
        assert!(!format!("{secret:?} {secret} {error}").contains("password\""));
        assert_eq!(secret.to_string(), "grpcs://host");
    }

    #[test]
    fn a_secret_comes_from_a_file_or_a_variable_and_is_never_shown() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("token");
        std::fs::write(&file, "  hunter2\n").unwrap();
        let mut access = Access::new("grpcs://host".parse().unwrap());
        let source: Source = file.to_str().unwrap().parse().unwrap();
        access.headers = vec![
            Header::token(source),
            Header::new("X-Key", "env:CARGO_PKG_NAME".parse().unwrap()).unwrap(),
        ];
        let metadata = access.metadata().unwrap();
        assert_eq!(metadata.get("authorization").unwrap(), "Bearer hunter2");
        assert_eq!(metadata.get("x-key").unwrap(), "lop-remote");
        let shown = format!("{access:?} {metadata:?}");
        assert!(!shown.contains("hunter2") && !shown.contains("\"lop-remote\""), "{shown}");
    }

    #[test]
    fn a_secret_that_is_missing_or_would_be_seen_on_the_way_is_refused() {
        let error = |address: &str, source: &str| {
            let mut access = Access::new(address.parse().unwrap());
            access.headers = vec![Header::token(source.parse().unwrap())];
            access.metadata().unwrap_err().to_string()
        };
        let missing = "env:LOP_TEST_NO_SUCH_VARIABLE";
        assert!(error("grpcs://host", missing).contains("it is not set"));
        assert!(error("grpcs://host", "/no/such/file").contains("`/no/such/file`"));
        assert!(error("grpc://host", "env:PATH").contains("not encrypted"));
        assert!(error("grpc://127.0.0.1", missing).contains("it is not set"));
        for wrong in ["", "env:"] {
            assert!(wrong.parse::<Source>().is_err(), "{wrong}");
        }
        assert!(Header::new("no name", Source::Variable("X".into())).is_err());
    }

    #[test]
    fn certificates_need_an_encrypted_connection_and_come_with_their_keys() {
        let error = |address: &str, tls: Tls| {
            let access = Access { tls, ..Access::new(address.parse().unwrap()) };
            access.endpoint().unwrap_err().to_string()
        };
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("pem");
        std::fs::write(&file, "no certificate").unwrap();
        let only = Tls { certificate: Some(file.clone()), ..Tls::default() };
        assert!(error("grpc://localhost:1", only.clone()).contains("not encrypted"));
        assert!(error("grpcs://localhost:1", only).contains("private key"));
        let authority = Some(PathBuf::from("/no/such/file"));
        let missing = Tls { authority, ..Tls::default() };
        assert!(error("grpcs://localhost:1", missing).contains("cannot read the authority"));
        let both = Tls { certificate: Some(file.clone()), key: Some(file), authority: None };
        assert!(error("grpcs://localhost:1", both).contains("cannot use the certificates"));
    }
}
