//! Our tokens as tantivy takes them.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::token;

/// The name under which fields ask for these tokens.
pub const TOKENIZER: &str = "words";

/// The tokenizer.
#[derive(Debug, Clone, Default)]
pub struct WordTokenizer {
    inner: token::Tokenizer,
}

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        Stream { words: self, text, tokens: None, token: Token::default() }
    }
}

/// The tokens of one text.
pub struct Stream<'a> {
    words: &'a mut WordTokenizer,
    text: &'a str,
    tokens: Option<std::vec::IntoIter<Token>>,
    token: Token,
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        if self.tokens.is_none() {
            let mut all = Vec::new();
            self.process(&mut |token| all.push(token.clone()));
            self.tokens = Some(all.into_iter());
        }
        match self.tokens.as_mut().and_then(Iterator::next) {
            Some(token) => {
                self.token = token;
                true
            }
            None => false,
        }
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }

    /// Indexing takes this way: one token that is filled again and again.
    fn process(&mut self, sink: &mut dyn FnMut(&Token)) {
        let token = &mut self.token;
        self.words.inner.each(self.text, |found| {
            token.text.clear();
            token.text.push_str(found.text);
            token.position = found.position;
            token.offset_from = found.from;
            token.offset_to = found.to;
            token.position_length = 1;
            sink(token);
        });
    }
}
