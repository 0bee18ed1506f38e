use super::super::random_of;
use super::super::shrink::judged;
use super::*;

#[test]
fn contracts_have_a_right_answer() {
    if std::process::Command::new("gcc")
        .arg("--version")
        .output()
        .is_err()
    {
        return;
    }
    // `false` ends with 1, so that each case that is asked about is a finding.
    let contracts = Contracts {
        craig: "false".into(),
    };
    let (mut n_calls, mut n_loops) = (0, 0);
    for number in 0.. {
        if n_calls > 0 && n_loops > 0 {
            break;
        }
        let mut case = contracts.case(&mut random_of(4, number));
        match &mut case {
            Case::Call(case) => case.door = Door::Command,
            Case::Loop(case) => case.door = Door::Command,
        }
        let mut tally = Tally::default();
        let what = judged(&contracts, &case, &mut tally);
        let is_asked = what.is_err_and(|what| what.starts_with("failed: exit code Some(1)"));
        assert!(
            is_asked || tally.of("left out: no run") > 0,
            "{tally}{}",
            contracts.text(&case).0
        );
        match case {
            Case::Call(_) => n_calls += u32::from(is_asked),
            Case::Loop(_) => n_loops += u32::from(is_asked),
        }
    }
}
