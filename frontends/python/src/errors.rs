//! The exceptions of the package.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

create_exception!(
    craig,
    Error,
    PyException,
    "What goes wrong in craig: the base of its other exceptions."
);
create_exception!(
    craig,
    InputError,
    Error,
    "An input that is not what it should be: the text has the file, the line, and what was expected."
);
create_exception!(
    craig,
    Satisfiable,
    Error,
    "There is nothing to interpolate and no proof: the clauses have a model, which is the second argument."
);
create_exception!(
    craig,
    Stopped,
    Error,
    "A limit was reached, or the search was interrupted."
);
create_exception!(
    craig,
    InternalError,
    Error,
    "An error of craig itself: a search has panicked, or evidence does not hold."
);

/// The error of an input.
pub(crate) fn input(error: &(impl ToString + ?Sized)) -> PyErr {
    InputError::new_err(error.to_string())
}

/// The error of an argument.
pub(crate) fn argument(error: &(impl ToString + ?Sized)) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Adds the exceptions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("InputError", py.get_type::<InputError>())?;
    module.add("Satisfiable", py.get_type::<Satisfiable>())?;
    module.add("Stopped", py.get_type::<Stopped>())?;
    module.add("InternalError", py.get_type::<InternalError>())
}
