use craig_mc::{Alone, Board};
use craig_model::{Latch, Reset};

use super::*;

/// Latch 0 is never set, and latch 1 always after the first step.
fn never_and_soon() -> Model {
    let mut model = Model::default();
    let [never, soon] = [(); 2].map(|()| model.aig.add_input());
    let latch = |state, next| Latch {
        state,
        next,
        reset: Reset::Zero,
    };
    model.latches = vec![latch(never, never), latch(soon, craig_aig::Edge::TRUE)];
    model.bads = vec![never];
    model
}

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("craig-exchange-{name}-{}", process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// What is on the board after a search that ends when `is_enough`, or after a long time.
fn traffic(exchange: &Exchange, is_enough: impl Fn(&Control<'_>) -> bool) -> (Board, u64) {
    let model = never_and_soon();
    let alone = Alone {
        board: Board::about(&model, 0).open(),
        ..Alone::new()
    };
    let control = alone.control();
    exchange.during(&Place::of_model(&model, 0), control, || {
        let begin = Instant::now();
        while !is_enough(&control) && begin.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(2));
        }
    });
    let received = control
        .listener
        .statistics()
        .get("clauses received")
        .copied();
    (alone.board, received.unwrap_or_default())
}

#[test]
fn lines_are_read_as_they_were_written() {
    let sent = vec![(0, true), (6, false), (7, true)];
    assert_eq!(clause(line("1,8,9", &sent).trim_end(), 8), Some(sent));
    for wrong in [
        "s",
        "s 0",
        "s 1",
        "s 9 0",
        "s x 0",
        "s 1 0 2",
        "s 1 2 3 4 5 6 7 8 8 0",
    ] {
        assert_eq!(clause(wrong, 8), None, "{wrong}");
    }
    let huge = format!("s {} 0", i64::MIN);
    assert_eq!(clause(&huge, 8), None);
}

#[test]
fn what_is_received_is_proved_before_it_is_shared() {
    let folder = folder("proved");
    let exchange = Exchange::open(&folder).unwrap();
    let model = never_and_soon();
    let stamp = Place::of_model(&model, 0).stamp();
    // Latch 1 is set after a step, and latch 0 is not set: neither of the clauses about them is trusted.
    let lines = [
        line(&stamp, &vec![(1, false)]),
        line(&stamp, &vec![(0, false)]),
        line("other", &vec![(0, false), (1, true)]),
        format!("{stamp} 77 0\n{stamp} 1 -2"),
    ];
    std::fs::write(folder.join("other.clauses"), lines.concat()).unwrap();
    let (board, received) = traffic(&exchange, |own| !own.board.invariants(0).is_empty());
    assert_eq!(board.invariants(0), [vec![(0, false)]]);
    assert_eq!(received, 2);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_engines_share_is_sent_once() {
    let folder = folder("sent");
    let [one, other] = [(); 2].map(|()| Exchange::open(&folder).unwrap());
    assert_ne!(one.own, other.own);
    let (_, _) = traffic(&one, |own| {
        // The frames of an engine that has the same clause.
        own.board.share_invariants([vec![(0, false)]]);
        let frames = Reached::new(vec![Vec::new(), vec![vec![(0, false)]]], Vec::new());
        own.board.exchange().share_frames("engine", frames);
        true
    });
    let text = std::fs::read_to_string(&one.own).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    let (board, _) = traffic(&other, |own| !own.board.invariants(0).is_empty());
    assert_eq!(board.invariants(0), [vec![(0, false)]]);
    // It came from there.
    assert_eq!(std::fs::read_to_string(&other.own).unwrap(), "");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_search_that_panics_ends_its_exchange() {
    let folder = folder("panic");
    let exchange = Exchange::open(&folder).unwrap();
    let model = never_and_soon();
    let board = Board::about(&model, 0).open();
    let alone = Alone {
        board,
        ..Alone::new()
    };
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        exchange.during(&Place::of_model(&model, 0), alone.control(), || {
            panic!("an engine panics");
        })
    }));
    assert!(panicked.is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}
