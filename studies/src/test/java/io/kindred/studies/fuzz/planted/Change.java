package io.kindred.studies.fuzz.planted;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.function.Consumer;

/** A change of the code of one method. */
sealed interface Change {
  /** The method does only this. */
  record Body(Consumer<CodeBuilder> code) implements Change {}

  /** The method does something else at some instructions. */
  record Edit(CodeTransform transform) implements Change {}

  /** A method with a truth value returns always this one. */
  static Change returns(boolean value) {
    return new Body(code -> code.loadConstant(value ? 1 : 0).ireturn());
  }

  /** A method returns its object. */
  static Change returnsThis() {
    return new Body(code -> code.aload(0).areturn());
  }

  /** A method returns one. */
  static Change returnsOne() {
    return new Body(code -> code.iconst_1().ireturn());
  }

  /** A step of a machine that changes nothing: a static call on the first parameter, a state. */
  static Change returnsStep() {
    return new Body(
        code ->
            code.aload(1)
                .iconst_0()
                .anewarray(ClassDesc.of("io.kindred.core.peer.Effect"))
                .invokestatic(
                    ClassDesc.of("io.kindred.core.peer.Step"),
                    "of",
                    MethodTypeDesc.of(
                        ClassDesc.of("io.kindred.core.peer.Step"),
                        ConstantDescs.CD_Object,
                        ClassDesc.of("io.kindred.core.peer.Effect").arrayType()))
                .areturn());
  }

  /** The method does nothing. */
  static Change nothing() {
    return new Body(CodeBuilder::return_);
  }

  /** Calls of a method call another one with the same parameters. */
  static Change call(String from, String to) {
    return new Edit(
        (code, element) -> {
          if (element instanceof InvokeInstruction call && call.name().equalsString(from)) {
            code.invoke(
                call.opcode(), call.owner().asSymbol(), to, call.typeSymbol(), call.isInterface());
          } else {
            code.with(element);
          }
        });
  }

  /** What a call returns is used after this code has changed it. */
  static Change result(String called, Consumer<CodeBuilder> after) {
    return new Edit(
        (code, element) -> {
          code.with(element);
          if (element instanceof InvokeInstruction call && call.name().equalsString(called)) {
            after.accept(code);
          }
        });
  }

  /**
   * Calls of a method with the given parameters are left out: what they were called on stays on the
   * stack where the method returns such an object, as builders do.
   */
  static Change withoutCall(String called) {
    return new Edit(
        (code, element) -> {
          if (!(element instanceof InvokeInstruction call) || !call.name().equalsString(called)) {
            code.with(element);
            return;
          }
          for (ClassDesc parameter : call.typeSymbol().parameterList().reversed()) {
            if (TypeKind.from(parameter).slotSize() == 2) {
              code.pop2();
            } else {
              code.pop();
            }
          }
          ClassDesc result = call.typeSymbol().returnType();
          if (result.equals(call.owner().asSymbol())) {
            return;
          }
          code.pop();
          if (result.descriptorString().equals("Z")) {
            code.iconst_0();
          }
        });
  }

  /** A number is another one wherever the method names it. */
  static Change constant(Object from, Object to) {
    return new Edit(
        (code, element) -> {
          if (element instanceof ConstantInstruction constant
              && constant.constantValue().equals(from)) {
            code.loadConstant((ConstantDesc) to);
          } else {
            code.with(element);
          }
        });
  }

  /** Other code in place of an instruction. */
  static Change instead(Opcode instruction, Consumer<CodeBuilder> other) {
    return new Edit(
        (code, element) -> {
          if (element instanceof Instruction known && known.opcode() == instruction) {
            other.accept(code);
          } else {
            code.with(element);
          }
        });
  }

  /** What the method returns is used after this code has changed it. */
  static Change beforeReturn(Consumer<CodeBuilder> before) {
    return new Edit(
        (code, element) -> {
          if (element instanceof ReturnInstruction) {
            before.accept(code);
          }
          code.with(element);
        });
  }
}
