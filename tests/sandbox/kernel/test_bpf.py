import pytest

from tabchat.sandbox.lock.bpf import Assembler, argument_offset, encode
from tests.sandbox.kernel.bpf_machine import record, run


def test_a_program_is_encoded_as_the_kernel_reads_it() -> None:
    program = Assembler()
    program.load(argument_offset(1, high=True))
    program.keep_bits(0xF0)
    program.jump_equal(0x10, then="yes")
    program.jump_at_least(0x20, then="yes")
    program.answer(7)
    program.label("yes")
    program.answer(9)
    assert encode(program.assemble()).hex(" ", 8) == (
        "200000001c000000 54000000f0000000 1500020010000000 3500010020000000 0600000007000000 0600000009000000"
    )


@pytest.mark.parametrize("word, expected", [(0x0, 7), (0x10, 9), (0x1F, 9), (0x20, 9), (0x0F, 7)])
def test_a_program_does_what_it_says(word: int, expected: int) -> None:
    program = Assembler()
    program.load(argument_offset(0))
    program.keep_bits(0xF0)
    program.jump_equal(0x10, then="yes")
    program.jump_at_least(0x20, then="yes")
    program.answer(7)
    program.label("yes")
    program.answer(9)
    assert run(encode(program.assemble()), record(0, 0, (word,))) == expected


def test_a_jump_to_nowhere_is_refused() -> None:
    program = Assembler()
    program.jump_equal(1, then="nowhere")
    with pytest.raises(ValueError, match="no label 'nowhere'"):
        program.assemble()


def test_a_jump_back_is_refused() -> None:
    program = Assembler()
    program.label("start")
    program.jump_equal(1, then="start")
    with pytest.raises(ValueError, match="-1 long"):
        program.assemble()


def test_a_jump_too_far_is_refused() -> None:
    program = Assembler()
    program.jump_equal(1, then="end")
    for _ in range(256):
        program.load(0)
    program.label("end")
    program.answer(0)
    with pytest.raises(ValueError, match="256 long"):
        program.assemble()


def test_a_label_stands_once() -> None:
    program = Assembler()
    program.label("here")
    with pytest.raises(ValueError, match="'here' is there already"):
        program.label("here")


def test_a_program_longer_than_the_kernel_takes_is_refused() -> None:
    program = Assembler()
    for _ in range(4097):
        program.answer(0)
    with pytest.raises(ValueError, match="4097 instructions"):
        program.assemble()
