{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE GADTs #-}

-- | A small calculator.
module Calc
  ( Expr (..)
  , eval
  , parse
  ) where

import Control.Monad (forM_, unless, when)
import Data.Char (isDigit, isSpace)
import qualified Data.Map.Strict as Map
import Data.Maybe hiding (fromJust)

infixl 6 |+|

type Env = Map.Map String Int

data Expr
  = Num !Int
  | Var String
  | Bin { op :: Op, left, right :: Expr }
  | Let String Expr Expr
  deriving (Eq, Show)

data Op = Add | Mul | Sub deriving (Eq, Ord, Enum, Bounded, Show)

newtype Parser a = Parser { runParser :: String -> Maybe (a, String) }

class Pretty a where
  pretty :: a -> String
  pretty _ = "?"
  prettyList :: [a] -> String

instance Pretty Op where
  pretty = \case
    Add -> "+"
    Mul -> "*"
    Sub -> "\"-\"\n"
  prettyList ops = concatMap pretty ops

instance Functor Parser where
  fmap f (Parser p) = Parser $ \s -> case p s of
    Nothing -> Nothing
    Just (x, rest) -> Just (f x, rest)

(|+|) :: Expr -> Expr -> Expr
a |+| b = Bin { op = Add, left = a, right = b }

eval :: Env -> Expr -> Either String Int
eval _ (Num n) = Right n
eval env (Var name) = maybe (Left ("unknown " ++ name)) Right (Map.lookup name env)
eval env (Let name value body) = do
  n <- eval env value
  let env' = Map.insert name n env
  eval env' body
eval env Bin { op = o, left = l, right = r } =
  apply o <$> eval env l <*> eval env r
  where
    apply Add = (+)
    apply Mul = (*)
    apply Sub = \x y -> x - y

sign :: (Ord a, Num a) => a -> Int
sign n
  | n > 0 = 1
  | n == 0, otherwise = 0
  | otherwise = -1

parse :: String -> [Int]
parse text = [read w | w <- words text, all isDigit w, not (null w)]

main :: IO ()
main = do
  let env = Map.fromList [("x", 3), ("y", 4)]
  forM_ (zip [1 ..] [Num 1 |+| Var "x", Num 2 `seq` Var "y"]) $ \(i, e) -> do
    when (i > (1 :: Int)) $ putStrLn ""
    print (eval env e)
  if sign (length (parse "1 2 x")) > 0 then putStrLn "ok" else unless False (pure ())
