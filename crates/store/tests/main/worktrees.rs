//! A linked worktree names its main checkout.

use std::fs;

use scrollback_store::git::main_checkout;

#[test]
fn a_worktree_names_its_main_checkout_and_that_itself() {
    let dir = tempfile::tempdir().unwrap();
    let (main, linked, plain) =
        (dir.path().join("main"), dir.path().join("linked"), dir.path().join("plain"));
    fs::create_dir_all(main.join(".git/worktrees/linked")).unwrap();
    fs::create_dir_all(&linked).unwrap();
    fs::create_dir_all(&plain).unwrap();
    fs::write(linked.join(".git"), format!("gitdir: {}/.git/worktrees/linked\n", main.display())).unwrap();
    fs::write(plain.join(".git"), "gitdir: ../.git/modules/sub\n").unwrap();
    assert_eq!(main_checkout(&linked), Some(main.clone()));
    assert_eq!(main_checkout(&main), Some(main.clone()));
    assert_eq!(main_checkout(&plain), None, "a submodule is a repository of its own");
    assert_eq!(main_checkout(&dir.path().join("gone")), None);
}
