//! Contents and their digests, by which a server identifies them.

use std::sync::Arc;

use bazel_remote_apis::build::bazel::remote::execution::v2::digest_function::Value;
use bazel_remote_apis::build::bazel::remote::execution::v2::{Digest, ServerCapabilities};
use sha2::{Digest as _, Sha256, Sha384, Sha512};

/// A content with its digest.
#[derive(Clone, Debug)]
pub(crate) struct Blob {
    pub(crate) digest: Digest,
    pub(crate) bytes: Arc<Vec<u8>>,
}

/// A function that makes digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Sha256,
    Sha384,
    Sha512,
}

impl Function {
    /// The functions that lop knows, the usual one first.
    const ALL: [Function; 3] = [Function::Sha256, Function::Sha384, Function::Sha512];

    /// A digest function that a server knows, or the names of those it knows.
    pub(crate) fn choose(server: &ServerCapabilities) -> Result<Function, String> {
        let stored = server.cache_capabilities.as_ref();
        let stored = stored.map(|it| it.digest_functions.clone()).unwrap_or_default();
        let executed = server.execution_capabilities.as_ref();
        let executed = executed.map(|it| match it.digest_functions.is_empty() {
            // Older servers announce it like this.
            true => vec![it.digest_function],
            false => it.digest_functions.clone(),
        });
        let executed = executed.unwrap_or_default();
        let allows = |list: &[i32], function: Function| {
            let unknown = Value::Unknown as i32;
            // A server that announces none means the usual one.
            match list.iter().all(|value| *value == unknown) {
                true => function == Function::Sha256,
                false => list.contains(&function.number()),
            }
        };
        let fits = |it: &Function| allows(&stored, *it) && allows(&executed, *it);
        Function::ALL.into_iter().find(fits).ok_or_else(|| {
            let name = |value: &i32| Value::try_from(*value).map_or("?", |it| it.as_str_name());
            let names: Vec<&str> = stored.iter().chain(&executed).map(name).collect();
            names.join(", ")
        })
    }

    /// Its number in the protocol.
    pub(crate) fn number(self) -> i32 {
        let value = match self {
            Function::Sha256 => Value::Sha256,
            Function::Sha384 => Value::Sha384,
            Function::Sha512 => Value::Sha512,
        };
        value as i32
    }

    /// The digest of a content.
    pub(crate) fn digest(self, bytes: &[u8]) -> Digest {
        let hash = match self {
            Function::Sha256 => hexadecimal(&Sha256::digest(bytes)),
            Function::Sha384 => hexadecimal(&Sha384::digest(bytes)),
            Function::Sha512 => hexadecimal(&Sha512::digest(bytes)),
        };
        Digest { hash, size_bytes: bytes.len() as i64 }
    }

    /// A content with its digest.
    pub(crate) fn blob(self, bytes: impl Into<Arc<Vec<u8>>>) -> Blob {
        let bytes = bytes.into();
        Blob { digest: self.digest(&bytes), bytes }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use bazel_remote_apis::build::bazel::remote::execution::v2::{
        CacheCapabilities, ExecutionCapabilities,
    };

    use super::*;

    fn server(stored: &[Value], executed: &[Value]) -> ServerCapabilities {
        let numbers = |values: &[Value]| values.iter().map(|value| *value as i32).collect();
        ServerCapabilities {
            cache_capabilities: Some(CacheCapabilities {
                digest_functions: numbers(stored),
                ..Default::default()
            }),
            execution_capabilities: Some(ExecutionCapabilities {
                digest_functions: numbers(executed),
                ..Default::default()
            }),
            ..Default::default()
        }
    }

    #[test]
    fn digests_are_made_by_a_function_that_the_server_stores_and_executes() {
        use Value::*;
        let choose =
            |stored: &[Value], executed: &[Value]| Function::choose(&server(stored, executed));
        assert_eq!(choose(&[], &[]), Ok(Function::Sha256));
        assert_eq!(choose(&[Md5, Sha256, Sha512], &[]), Ok(Function::Sha256));
        assert_eq!(choose(&[Sha384, Sha512], &[Blake3, Sha512]), Ok(Function::Sha512));
        assert_eq!(choose(&[Sha384], &[Sha384]), Ok(Function::Sha384));
        assert_eq!(choose(&[Md5], &[]), Err("MD5, UNKNOWN".into()));
    }

    #[test]
    fn a_digest_has_the_hash_and_the_size() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Function::Sha256.digest(b"").hash, empty);
        let length = |function: Function| function.digest(b"abc").hash.len();
        assert_eq!(Function::ALL.map(length), [64, 96, 128]);
        assert_eq!(Function::Sha512.blob(b"abc".to_vec()).digest.size_bytes, 3);
    }
}
