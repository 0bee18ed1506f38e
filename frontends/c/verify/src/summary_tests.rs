//! Summaries of objects: what is proved with them, and that no error is lost.

use crate::elements_test_support::n_programs;
use crate::loop_engines;
use crate::tests::{Random, letter, program, unrolled_up_to};
use craig_c_lang::types::DataModel;
use craig_mc::Alone;
use craig_verify::AutomatonSearch;

const HEAD: &str = "
    extern int nondet(void); extern void reach_error(void); extern void *malloc(unsigned long);
    static void check(int c) { if (!c) reach_error(); }
    typedef struct node { int val; struct node *next; } Node;
";

/// The result of the circuit engines on the program with summaries.
fn summarised(text: &str) -> char {
    let program = program(&format!("{HEAD}{text}"), DataModel::Lp64);
    let search = AutomatonSearch::portfolio(2);
    let found = loop_engines::check_with_summaries(&program, &search, Alone::new().control());
    letter(&found)
}

/// All values in a list are in an interval.
#[test]
fn values_of_a_list_are_bounded() {
    let list = |test: &str| {
        format!(
            "int main(void) {{
                Node *list = 0;
                while (nondet()) {{
                    int x = nondet();
                    if (x < 10 || x > 20) continue;
                    Node *p = malloc(sizeof *p);
                    p->val = x; p->next = list; list = p;
                }}
                for (Node *p = list; p; p = p->next) {{
                    check({test});
                    if (p->val < 20) p->val++; else p->val /= 2;
                }}
            }}"
        )
    };
    assert_eq!(summarised(&list("p->val >= 10 && p->val <= 20")), 's');
    assert_eq!(summarised(&list("p->val >= 11 && p->val <= 20")), '?');
}

/// Members of one object are related, and lists of several places in the program are kept apart.
#[test]
fn members_of_an_object_are_related() {
    let lists = |second: &str| {
        format!(
            "typedef struct packet {{ unsigned char size, urgent; struct packet *next; }} Packet;
             static void add(Packet **to, unsigned char size, unsigned char urgent) {{
                 Packet *p = malloc(sizeof *p);
                 p->size = size; p->urgent = urgent; p->next = *to; *to = p;
             }}
             int main(void) {{
                 Packet *first = 0, *second = 0;
                 while (nondet()) {{
                     unsigned char size = nondet(), urgent = nondet() ? 1 : 0;
                     if (size >= 50 && !urgent) add(&second, size, urgent);
                     else add(&first, size, urgent);
                 }}
                 for (Packet *p = first; p; p = p->next) check(p->urgent || p->size < 50);
                 for (Packet *p = second; p; p = p->next) check({second});
             }}"
        )
    };
    assert_eq!(summarised(&lists("!p->urgent && p->size >= 50")), 's');
    assert_eq!(summarised(&lists("p->urgent || p->size < 50")), '?');
}

/// Facts about all objects are used where one of them is read for something else.
#[test]
fn numbers_of_objects_are_bounded_where_they_are_used() {
    let ring = |most: u32| {
        format!(
            "typedef struct item {{ int x; int *sum; struct item *next; }} Item;
             int main(void) {{
                 int *sum = malloc(sizeof *sum);
                 *sum = 100;
                 Item *head = malloc(sizeof *head);
                 head->x = 1; head->sum = sum; head->next = head;
                 while (nondet()) {{
                     int x = nondet();
                     if (x > 0 && x < {most}) {{
                         Item *n = malloc(sizeof *n);
                         n->x = x; n->sum = sum; n->next = head->next; head->next = n;
                     }}
                 }}
                 for (Item *p = head; ; p = p->next) {{
                     if (*p->sum <= 100) *p->sum += p->x; else *p->sum -= p->x;
                     check(*sum > 90 && *sum < 110);
                 }}
             }}"
        )
    };
    assert_eq!(summarised(&ring(10)), 's');
    assert_eq!(summarised(&ring(11)), '?');
}

/// Two objects of one allocation are different, although they share an address where neither is tracked.
#[test]
fn objects_that_share_an_address_are_different() {
    let pairs = |test: &str| {
        format!(
            "int main(void) {{
                Node *a = 0, *b = 0;
                while (nondet()) {{
                    Node *p = malloc(sizeof *p);
                    p->val = 1; p->next = a;
                    b = a; a = p;
                }}
                if (a && b) check({test});
            }}"
        )
    };
    // Both are others, or one is tracked: whether they are equal is not known.
    assert_eq!(summarised(&pairs("a == b")), '?');
    assert_eq!(summarised(&pairs("a != b")), '?');
    assert_eq!(summarised(&pairs("a->val == b->val")), 's');
}

/// Lists that grow at their end, and walks that never end.
#[test]
fn lists_grow_at_their_end() {
    let text = "int main(void) {
        Node *p, *list = malloc(sizeof *list);
        Node *tail = list;
        list->next = 0; list->val = 10;
        while (nondet()) {
            int x = nondet();
            if (x < 10 || x > 20) continue;
            p = malloc(sizeof *p);
            tail->next = p; p->next = 0; p->val = x; tail = p;
        }
        while (1) {
            for (p = list; p; p = p->next) {
                check(p->val <= 20 && p->val >= 10);
                if (p->val < 20) p->val++; else p->val /= 2;
            }
        }
    }";
    assert_eq!(summarised(text), 's');
}

/// Two reads of one object have one value.
#[test]
fn reads_of_one_object_agree() {
    let text = "struct mem { int val; };
struct list_node { int x; struct mem *mem; struct list_node *next; };
int main() {
    struct mem *m = malloc(sizeof(*m));
    m->val = 0;
    struct list_node *head = malloc(sizeof(*head));
    head->x = 1; head->mem = m; head->next = head;
    struct list_node *list = head;
    while (nondet()) {
        int x = nondet();
        if (x > 0 && x < 10) {
            struct list_node *n = malloc(sizeof(*n));
            n->x = x; n->mem = m; n->next = head; list->next = n;
        }
    }
    list = head;
    while (m->val < 100) {
        if (list->mem->val + list->x <= 100) list->mem->val += list->x;
        list = list->next;
    }
    check(m->val == 100);
}";
    assert_eq!(summarised(text), 's');
}

/// Programs with an error that needs lists of more objects than the pool of an allocation has, or objects that share
/// an address: none is proved.
#[test]
fn errors_that_need_long_lists_are_not_lost() {
    for body in [
        "int main(){N*a=0,*b=0;int \
         n=0;while(nondet()){N*p=malloc(sizeof*p);p->val=0;p->next=a;a=p;if(nondet())b=p;} \
         if(b&&nondet()){b->val=1;} int k=0; for(N*p=a;p;p=p->next){k++; \
         if(p->val==1&&k==5)reach_error();}}",
        "struct o{int a[4];struct o*next;}; int main(){struct o*h=0;int n=0;while(nondet()){struct \
         o*p=malloc(sizeof*p);for(int i=0;i<4;i++)p->a[i]=n;n++;p->next=h;h=p;} unsigned \
         i=(unsigned)nondet()%4; for(struct o*p=h;p;p=p->next)if(p->a[i]==5)reach_error();}",
        "int main(){N*h=0;int \
         n=0;while(nondet()){N*p=calloc(1,sizeof*p);if(n++==4)p->val=3;p->next=h;h=p;} \
         for(N*p=h;p;p=p->next)if(p->val==3)reach_error();}",
        "int main(){N*h=0;int n=0;while(nondet()){N*p=malloc(sizeof*p);p->val=n++;p->next=h;h=p;} \
         if(h&&h->next&&h->next->next&&h->next->next->next&&h->next->next->next->val==0&&h->val==3)reach_error();}",
        "int main(){N*h=0;int n=0;while(nondet()){N*p=malloc(sizeof*p);p->val=n++;p->next=h;h=p;} \
         if(h&&h->next){*h->next=*h; if(h->next->val==5)reach_error();}}",
        "int main(){N*h=0;int n=0;while(nondet()){N*p=malloc(sizeof*p);p->val=n++;p->next=h;h=p;} int \
         k=0;for(N*p=h;p;p=p->next)k++; if(k==5)reach_error();}",
        "int \
         main(){N*h=0;while(nondet()){N*p=malloc(sizeof*p);p->val=0;p->next=h;p->prev=0;if(h)h->prev=p;h=p;} \
         int k=0; for(N*p=h;p&&p->next;p=p->next){k++; if(k==4)p->next->prev=0; \
         if(p->next->prev!=p)reach_error();}}",
        "static int f(int x){return x;} static int g(int x){return x+9;} struct o{int(*m)(int);struct \
         o*next;}; int main(){struct o*h=0;int n=0;while(nondet()){struct \
         o*p=malloc(sizeof*p);p->m=n<4?f:g;n++;p->next=h;h=p;} for(struct \
         o*p=h;p;p=p->next)if(p->m(1)==10)reach_error();}",
        "int main(){N*h=0;int \
         n=0;while(nondet()){if(nondet()||!h){N*p=malloc(sizeof*p);p->val=n++;p->next=h;h=p;}else{N*t=h->next;free(h);h=t;}} \
         if(h&&h->val==6&&h->next&&h->next->val==2)reach_error();}",
        "N*keep; int main(){N*h=0;int \
         n=0;while(nondet()){N*p=malloc(sizeof*p);p->val=n++;p->next=h;h=p;if(n==5)keep=p;} \
         if(keep){keep->val=-1;} for(N*p=h;p;p=p->next)if(p->val<0)reach_error();}",
        "int main(){N*h=0;int n=0;while(nondet()){N*p=malloc(sizeof*p);p->val=0;p->next=h;h=p;} \
         for(N*p=h;p;p=p->next)for(N*q=p->next;q;q=q->next){q->val++; if(q->val==4)reach_error();}}",
        "int main(){int*q=0;N*h=0;int \
         n=0;while(nondet()){N*p=malloc(sizeof*p);p->val=n++;p->next=h;h=p;if(n==3)q=&p->val;} \
         if(q&&nondet())*q=77; for(N*p=h;p;p=p->next)if(p->val==77)reach_error();}",
        "int main(){N*a=0,*b=0;int \
         n=0;while(nondet()){if(nondet()){N*p=malloc(sizeof*p);p->val=n++;p->next=a;a=p;}else \
         if(a){N*p=a;a=a->next;p->next=b;b=p;}} if(b&&b->next&&b->val==1&&b->next->val==3)reach_error();}",
        "int main(){N*h=0;int n=0;while(nondet()){N*p=malloc(sizeof*p);p->val=n++;p->next=h;h=p;} \
         N*x=0,*y=0;for(N*p=h;p;p=p->next){if(nondet())x=p;if(nondet())y=p;} \
         if(x&&y){x->val=100;y->val=200;if(x->val==200)reach_error();}}",
        "int main(){N*h=0;while(nondet()){N*p=malloc(sizeof*p);p->val=1;p->next=h;h=p;} unsigned \
         s=0;for(N*p=h;p;p=p->next)s+=p->val; if(s==6)reach_error();}",
        "int main(){N*h=0;int n=0;while(nondet()){N*p=malloc(sizeof*p);p->val=n++;p->next=h;h=p;} \
         for(N*p=h;p&&p->next;p=p->next){int t=p->val;p->val=p->next->val;p->next->val=t;} \
         N*p=h;while(p&&p->next)p=p->next; if(p&&p->val==4)reach_error();}",
        "struct t{int k;struct t*l,*r;}; int main(){struct t*root=0;while(nondet()){struct \
         t*p=malloc(sizeof*p);p->k=nondet();p->l=p->r=0;struct \
         t**q=&root;while(*q){q=p->k<(*q)->k?&(*q)->l:&(*q)->r;}*q=p;} struct t*x=root;int \
         d=0;while(x&&x->l){ if(x->l->k>=x->k)d=99; x=x->l;d++;} if(d==4)reach_error();}",
        "int main(){N*h=0;int n=0;while(nondet()){N*p=malloc(sizeof*p);p->val=n++;p->next=h;h=p;} \
         N*x=0,*y=0;for(N*p=h;p;p=p->next){if(nondet())x=p;if(nondet())y=p;} \
         if(x&&y&&x!=y){x->val=100;y->val=200;if(x->val==100&&y->val==200)reach_error();}}",
        "int main(){N*h=0;while(nondet()){N*p=malloc(sizeof*p);p->next=h;h=p;} \
         if(h&&h->next&&h->next->val==12345)reach_error();}",
        "int main(){N*h=0;int n=0;while(nondet()){N*p=malloc(sizeof*p);p->val=n<4?n:4;n++;p->next=h;h=p;} \
         for(N*p=h;p;p=p->next) if(p->val==4)reach_error();}",
    ] {
        let text = format!(
            "extern void *calloc(unsigned long, unsigned long); extern void free(void *);
             typedef struct item {{ int val; struct item *next, *prev; }} N; {body}"
        );
        assert_ne!(summarised(&text), 's', "{body}");
    }
}

/// The result of unrolling all loops.
fn unrolled(text: &str) -> char {
    unrolled_up_to(6, &format!("{HEAD}{text}"))
}

/// A random program with two lists from one allocation, and a condition on their objects.
fn random_program(random: &mut Random) -> String {
    let mut pick =
        |choices: &[&str]| choices[random.below(choices.len() as u64) as usize].to_owned();
    let mut body = String::new();
    let fill = pick(&[
        "x = nondet() & 3;",
        "x = 2;",
        "x = nondet(); if (x < 1 || x > 3) continue;",
    ]);
    let link = pick(&[
        "p->next = a; a = p;",
        "p->next = 0; if (a) a->next = p; else a = p;",
        "p->next = b; b = a; a = p;",
        "p->next = a; if (x > 1) b = p; a = p;",
        "p->next = p; a = p;",
    ]);
    let late = pick(&[
        "",
        "if (a) a->val = 3;",
        "if (b) b->val++;",
        "if (a && a->next) a->next->val = x;",
    ]);
    body.push_str(&format!(
        "for (int i = 0; i < 3 && nondet(); i++) {{ int x; {fill} Node *p = malloc(sizeof *p); p->val = x; {link} {late} }}\n"
    ));
    for _ in 0..2 {
        body.push_str(&pick(&[
            "for (int i = 0; i < 3; i++) { if (!a) break; if (a->val > 2) a->val--; a = a->next; }\n",
            "if (a == b) b = 0;\n",
            "if (a && b && a != b) b->val = a->val + 1;\n",
            "if (b) b->next = a;\n",
            "Node *q = a; while (q && nondet()) { s += q->val; if (s > 9) s = 9; if (q == q->next) break; q = q->next; }\n",
        ]).replace("*q", "*q__").replace("*q__", "*q"));
    }
    let test = pick(&[
        "!a || a->val < 4",
        "!a || a->val > 0",
        "!a || !b || a != b",
        "!a || !b || a->val == b->val",
        "!b || b->val < 5",
        "s < 10",
        "!a || !a->next || a->next->val <= a->val",
        "!b || b->val < 4",
        "s < 6",
    ]);
    let body = body.replacen("Node *q = a; while", "q = a; while", 2);
    format!(
        "int main(void) {{ Node *a = 0, *b = 0, *q = 0; int s = 0;\n{body} check({test}); return 0; }}\n"
    )
}

/// No error is lost: what is safe with summaries is safe when all loops are unrolled. Some are proved.
#[test]
fn random_lists_lose_no_error() {
    let mut random = Random(11);
    let (mut n_safe, mut n_unsafe) = (0, 0);
    let n_all = n_programs(16);
    for _ in 0..n_all {
        let text = random_program(&mut random);
        let exact = unrolled(&text);
        let found = summarised(&text);
        assert!(exact != 'u' || found != 's', "{text}");
        n_safe += usize::from(found == 's');
        n_unsafe += usize::from(exact == 'u');
    }
    assert!(
        n_safe > n_all / 8 && n_unsafe > n_all / 30,
        "{n_safe} {n_unsafe}"
    );
}
