// The methods of the Python class of positions of squared and ultimate that are asked at every move. They read and make
// the very tuples that the Python rules make. Whatever is unusual (an illegal move, a number of another type, an ended
// game) is left to the Python function of the same name.
#include "bindings/bindings.hpp"

using namespace ninefold;

namespace {

enum Field { MARKS_X, MARKS_O, WON_X, WON_O, DRAWN, BOARD, TURN, RULES, FIELD_COUNT };

// What was taken from Python once, and is kept as long as the process lives.
struct PythonObjects {
    PyTypeObject* type = nullptr;
    allocfunc allocate = nullptr;
    PyObject* sides[2];
    PyObject *moves, *play, *outcome;  // the Python functions
    PyObject* numbers[FULL_BOARD + 1];
    PyObject* moves_in[9][FULL_BOARD + 1] = {};  // by board and marks, made when they are first asked for
} python;

// Everything of a position but the marks. Its marks are read board by board, because most moves need only one.
struct Fields {
    PyObject* marks[2];
    unsigned won[2], drawn;
    int board, turn;
    bool both;

    unsigned dead() const { return won[0] | won[1] | drawn; }
    unsigned open_boards() const { return board == ANY_BOARD ? ~dead() & FULL_BOARD : 1u << board; }
    bool ended() const {
        unsigned shared = both ? drawn : 0;
        return has_line(won[0] | shared) || has_line(won[1] | shared) || dead() == FULL_BOARD;
    }
};

// A set of nine cells, or -1 if it is none.
int read_set(PyObject* number) {
    if (!number || !PyLong_CheckExact(number)) return -1;
    long value = PyLong_AsLong(number);
    return value >= 0 && value <= FULL_BOARD ? static_cast<int>(value) : -1;
}

int read_board(PyObject* number) {
    int board = read_set(number);
    return board < 9 ? board : -1;
}

// The marks of both sides on a board, or -1.
int read_taken(const Fields& fields, int board) {
    int x = read_set(PyTuple_GetItem(fields.marks[0], board)), o = read_set(PyTuple_GetItem(fields.marks[1], board));
    return x < 0 || o < 0 ? -1 : x | o;
}

bool read_fields(PyObject* self, Fields& fields) {
    PyObject* item[FIELD_COUNT];
    if (PyTuple_Size(self) != FIELD_COUNT) return false;
    for (int i = 0; i < FIELD_COUNT; ++i) item[i] = PyTuple_GetItem(self, i);
    int x = read_set(item[WON_X]), o = read_set(item[WON_O]), drawn = read_set(item[DRAWN]);
    int board = item[BOARD] == Py_None ? ANY_BOARD : read_board(item[BOARD]);
    int turn = item[TURN] == python.sides[1];
    if (x < 0 || o < 0 || drawn < 0 || board < 0 || item[TURN] != python.sides[turn]) return false;
    for (int i : {MARKS_X, MARKS_O})
        if (!PyTuple_CheckExact(item[i]) || PyTuple_Size(item[i]) != 9) return false;
    if (!PyTuple_Check(item[RULES]) || PyTuple_Size(item[RULES]) < 2) return false;
    PyObject* counted = PyTuple_GetItem(item[RULES], 1);
    if (!PyUnicode_Check(counted)) return false;
    bool both = PyUnicode_CompareWithASCIIString(counted, "both") == 0;
    fields = {{item[MARKS_X], item[MARKS_O]},
              {static_cast<unsigned>(x), static_cast<unsigned>(o)},
              static_cast<unsigned>(drawn),
              board,
              turn,
              both};
    return true;
}

PyObject* new_number(int value) { return Py_NewRef(python.numbers[value]); }

PyObject* moves_in(int board, unsigned taken) {
    PyObject*& found = python.moves_in[board][taken];
    if (!found) {
        found = PyTuple_New(9 - popcount(taken));
        if (!found) return nullptr;
        for (int cell = 0, n = 0; cell < 9; ++cell)
            if (!(taken >> cell & 1)) PyTuple_SetItem(found, n++, new_number(board * 9 + cell));
    }
    return Py_NewRef(found);
}

PyObject* ask_python(PyObject* function, PyObject* self, PyObject* argument = nullptr) {
    PyErr_Clear();
    return PyObject_CallFunctionObjArgs(function, self, argument, nullptr);
}

PyObject* moves(PyObject* self, PyObject*) {
    Fields fields;
    if (!read_fields(self, fields)) return ask_python(python.moves, self);
    if (fields.ended()) return PyTuple_New(0);
    int taken[9], count = 0;
    for (unsigned boards = fields.open_boards(); boards; boards &= boards - 1) {
        int board = __builtin_ctz(boards);
        taken[board] = read_taken(fields, board);
        if (taken[board] < 0) return ask_python(python.moves, self);
        count += 9 - popcount(static_cast<unsigned>(taken[board]));
    }
    if (fields.board != ANY_BOARD) return moves_in(fields.board, static_cast<unsigned>(taken[fields.board]));
    PyObject* found = PyTuple_New(count);
    if (!found) return nullptr;
    int n = 0;
    for (unsigned boards = fields.open_boards(); boards; boards &= boards - 1) {
        int board = __builtin_ctz(boards);
        for (int cell = 0; cell < 9; ++cell)
            if (!(taken[board] >> cell & 1)) PyTuple_SetItem(found, n++, new_number(board * 9 + cell));
    }
    return found;
}

// The marks of a side with those of one board changed.
PyObject* with_board(PyObject* marks, int board, int cells) {
    PyObject* copy = PyTuple_New(9);
    if (!copy) return nullptr;
    for (int b = 0; b < 9; ++b)
        PyTuple_SetItem(copy, b, b == board ? new_number(cells) : Py_NewRef(PyTuple_GetItem(marks, b)));
    return copy;
}

PyObject* play(PyObject* self, PyObject* given) {
    PyObject* number = PyNumber_Index(given);  // whole numbers of NumPy too
    if (!number) return nullptr;
    int move = read_set(number);
    Py_DECREF(number);
    Fields fields;
    if (move < 0 || move >= MOVE_COUNT || !read_fields(self, fields) || fields.ended())
        return ask_python(python.play, self, given);
    int board = move / 9, cell = move % 9, turn = fields.turn;
    int taken = read_taken(fields, board);
    if (taken < 0 || !(fields.open_boards() >> board & 1) || taken >> cell & 1)
        return ask_python(python.play, self, given);
    int mine = read_set(PyTuple_GetItem(fields.marks[turn], board)) | 1 << cell;
    if (has_line(static_cast<unsigned>(mine))) fields.won[turn] |= 1u << board;
    else if ((taken | 1 << cell) == FULL_BOARD) fields.drawn |= 1u << board;
    bool anywhere = fields.dead() >> cell & 1;

    PyObject* marks = with_board(fields.marks[turn], board, mine);
    PyObject* after = marks ? python.allocate(python.type, FIELD_COUNT) : nullptr;
    if (!after) {
        Py_XDECREF(marks);
        return nullptr;
    }
    PyTuple_SetItem(after, turn, marks);
    PyTuple_SetItem(after, turn ^ 1, Py_NewRef(fields.marks[turn ^ 1]));
    PyTuple_SetItem(after, WON_X, new_number(static_cast<int>(fields.won[0])));
    PyTuple_SetItem(after, WON_O, new_number(static_cast<int>(fields.won[1])));
    PyTuple_SetItem(after, DRAWN, new_number(static_cast<int>(fields.drawn)));
    PyTuple_SetItem(after, BOARD, anywhere ? Py_NewRef(Py_None) : new_number(cell));
    PyTuple_SetItem(after, TURN, Py_NewRef(python.sides[turn ^ 1]));
    PyTuple_SetItem(after, RULES, Py_NewRef(PyTuple_GetItem(self, RULES)));
    return after;
}

PyObject* outcome(PyObject* self, void*) {
    Fields fields;
    if (!read_fields(self, fields) || fields.ended()) return ask_python(python.outcome, self);
    return Py_NewRef(Py_None);
}

PyMethodDef METHODS[] = {{"moves", &moves, METH_NOARGS, "The legal moves, ascending."},
                         {"play", &play, METH_O, "The position after a move."}};
PyGetSetDef OUTCOME = {"outcome", &outcome, nullptr, "The end of the game, or None while it goes on.", nullptr};

// Gives a subclass of the Python class of positions these methods. False if another class has them: there is one in a
// process, unless somebody has imported its module twice.
bool add_methods(nb::type_object type, nb::object x, nb::object o, nb::object python_outcome) {
    if (python.type) return false;
    if (!PyType_IsSubtype((PyTypeObject*)type.ptr(), &PyTuple_Type)) refuse("A position is a tuple.");
    nb::object python_moves = type.attr("moves"), python_play = type.attr("play");
    auto* class_ = (PyTypeObject*)type.ptr();
    python.allocate = (allocfunc)PyType_GetSlot(class_, Py_tp_alloc);
    python.sides[0] = x.release().ptr(), python.sides[1] = o.release().ptr();
    python.moves = python_moves.release().ptr(), python.play = python_play.release().ptr();
    python.outcome = python_outcome.release().ptr();
    for (int i = 0; i <= FULL_BOARD; ++i) python.numbers[i] = PyLong_FromLong(i);
    for (PyMethodDef& method : METHODS) type.attr(method.ml_name) = nb::steal(PyDescr_NewMethod(class_, &method));
    type.attr("outcome") = nb::steal(PyDescr_NewGetSet(class_, &OUTCOME));
    python.type = (PyTypeObject*)type.release().ptr();
    return true;
}

}  // namespace

void bind_squared_methods(nb::module_& m) {
    m.def("add_squared_methods", &add_methods, nb::arg("type"), nb::arg("x"), nb::arg("o"), nb::arg("outcome"));
}
