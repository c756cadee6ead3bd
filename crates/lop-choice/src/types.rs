//! Types whose values can be drawn.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::marker::PhantomData;
use std::num::NonZero;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use crate::source::Source;

/// A type whose values can be drawn.
pub trait Draw: Sized {
    /// Draws a value.
    fn draw(source: &mut Source) -> Self;
}

impl Source {
    /// Draws any value of a type that implements [`Draw`].
    pub fn any<T: Draw>(&mut self) -> T {
        self.draw(T::draw)
    }
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Draw for $type {
            fn draw(s: &mut Source) -> Self {
                s.integer(..)
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);

macro_rules! without_zero {
    ($($type:ty)*) => {$(
        impl Draw for NonZero<$type> {
            fn draw(s: &mut Source) -> Self {
                // Zero, next to the simplest number, stands for that one.
                NonZero::new(s.integer_near(.., 1)).unwrap_or(const { NonZero::new(1).unwrap() })
            }
        }
    )*};
}

without_zero!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);

impl Draw for u128 {
    fn draw(s: &mut Source) -> Self {
        let high: u64 = s.integer(..);
        u128::from(high) << 64 | u128::from(s.integer::<u64>(..))
    }
}

impl Draw for bool {
    fn draw(s: &mut Source) -> Self {
        s.boolean(0.5)
    }
}

impl Draw for f64 {
    fn draw(s: &mut Source) -> Self {
        s.float(..)
    }
}

impl Draw for f32 {
    fn draw(s: &mut Source) -> Self {
        s.float(..) as f32
    }
}

impl Draw for char {
    fn draw(s: &mut Source) -> Self {
        s.char()
    }
}

impl Draw for String {
    fn draw(s: &mut Source) -> Self {
        s.text(..)
    }
}

impl<T: Draw> Draw for Option<T> {
    fn draw(s: &mut Source) -> Self {
        s.option(T::draw)
    }
}

impl<T: Draw, E: Draw> Draw for Result<T, E> {
    fn draw(s: &mut Source) -> Self {
        if s.boolean(0.3) { Err(s.any()) } else { Ok(s.any()) }
    }
}

/// Types that hold a single value of another one.
macro_rules! holders {
    ($($name:ident)*) => {$(
        impl<T: Draw> Draw for $name<T> {
            fn draw(s: &mut Source) -> Self {
                $name::new(T::draw(s))
            }
        }
    )*};
}

holders!(Box Rc Arc);

/// Types that are made of another one.
macro_rules! made_of {
    ($($type:ty: $from:ty),*) => {$(
        impl Draw for $type {
            fn draw(s: &mut Source) -> Self {
                <$from>::draw(s).into()
            }
        }
    )*};
}

made_of!(Box<str>: String, Rc<str>: String, Arc<str>: String, PathBuf: String, Cow<'_, str>: String);

/// Types that hold any number of values of another one.
macro_rules! collections {
    ($($name:ident: $($bound:ident)*),*) => {$(
        impl<T: Draw $(+ $bound)*> Draw for $name<T> {
            fn draw(s: &mut Source) -> Self {
                s.list(.., T::draw).into_iter().collect()
            }
        }
    )*};
}

collections!(Vec:, VecDeque:, BTreeSet: Ord, BinaryHeap: Ord, HashSet: Eq Hash);

impl<T: Draw> Draw for Box<[T]> {
    fn draw(s: &mut Source) -> Self {
        s.list(.., T::draw).into()
    }
}

impl Draw for Duration {
    fn draw(s: &mut Source) -> Self {
        let seconds = s.integer(..);
        Duration::new(seconds, s.integer(0..1_000_000_000))
    }
}

impl<T> Draw for PhantomData<T> {
    fn draw(_: &mut Source) -> Self {
        PhantomData
    }
}

impl<K: Draw + Ord, V: Draw> Draw for BTreeMap<K, V> {
    fn draw(s: &mut Source) -> Self {
        s.list(.., <(K, V)>::draw).into_iter().collect()
    }
}

impl<K: Draw + Eq + Hash, V: Draw> Draw for HashMap<K, V> {
    fn draw(s: &mut Source) -> Self {
        s.list(.., <(K, V)>::draw).into_iter().collect()
    }
}

impl<T: Draw, const N: usize> Draw for [T; N] {
    fn draw(s: &mut Source) -> Self {
        std::array::from_fn(|_| s.any())
    }
}

impl Draw for () {
    fn draw(_: &mut Source) -> Self {}
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        impl<$($name: Draw),*> Draw for ($($name,)*) {
            fn draw(s: &mut Source) -> Self {
                ($(s.any::<$name>(),)*)
            }
        }
    )*};
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
    A B C D E F G H I J;
    A B C D E F G H I J K;
    A B C D E F G H I J K L;
}
