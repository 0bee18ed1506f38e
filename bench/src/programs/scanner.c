#include <assert.h>
extern char __VERIFIER_nondet_char(void);

enum kind { OPEN, CLOSE, WORD, NUMBER };
struct token { enum kind kind; int start, end, outer; };
struct scanner { const char *text; int at, n_tokens, inner; struct token tokens[SIZE]; };

static struct token *add(struct scanner *s, enum kind kind, int start) {
    struct token *token = &s->tokens[s->n_tokens++];
    token->kind = kind;
    token->start = start;
    token->end = s->at;
    token->outer = s->inner;
    return token;
}

static int is_letter(char c) { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int matches(char open, char close) {
    return open == '(' && close == ')' || open == '[' && close == ']' || open == '{' && close == '}';
}

static int scan(struct scanner *s) {
    while (s->at < SIZE) {
        int start = s->at;
        char c = s->text[s->at++];
        switch (c) {
        case ' ': case '\t': case '\n': break;
        case '(': case '[': case '{':
            add(s, OPEN, start);
            s->inner = s->n_tokens - 1;
            break;
        case ')': case ']': case '}':
#ifndef FAULT
            if (s->inner < 0) return -1;
#endif
            if (!matches(s->text[s->tokens[s->inner].start], c)) return -1;
            s->inner = s->tokens[s->inner].outer;
            add(s, CLOSE, start);
            break;
        default:
            if (is_letter(c)) {
                while (s->at < SIZE && (is_letter(s->text[s->at]) || is_digit(s->text[s->at]))) s->at++;
                add(s, WORD, start);
            } else if (is_digit(c)) {
                while (s->at < SIZE && is_digit(s->text[s->at])) s->at++;
                add(s, NUMBER, start);
            } else {
                return -2;
            }
        }
    }
    return s->inner < 0 ? s->n_tokens : -3;
}

int main(void) {
    char text[SIZE];
    for (int i = 0; i < SIZE; i++) text[i] = __VERIFIER_nondet_char();
    struct scanner s = { text, 0, 0, -1 };
    int n = scan(&s), depth = 0;
    assert(n <= SIZE);
    for (int i = 0; i < n; i++) {
        assert(s.tokens[i].start < s.tokens[i].end && s.tokens[i].end <= SIZE);
        assert(i == 0 || s.tokens[i - 1].end <= s.tokens[i].start);
        depth += (s.tokens[i].kind == OPEN) - (s.tokens[i].kind == CLOSE);
        assert(depth >= 0);
    }
    assert(n < 0 || depth == 0);
    return 0;
}
