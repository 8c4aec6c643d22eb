package io.kindred.studies.fuzz.planted;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of Kindred once more, with all planted bugs in them. A changed method asks
 * which bug is switched on and calls that copy of itself, or else the original one.
 */
final class MutantLoader extends ClassLoader {
  private static final String OURS = "io.kindred.";
  private static final ClassDesc SWITCH = ClassDesc.of(ActiveMutant.class.getName());

  private final List<Mutant> mutants;
  private final SortedSet<String> planted = new TreeSet<>();

  MutantLoader(List<Mutant> mutants) {
    super(MutantLoader.class.getClassLoader());
    this.mutants = mutants;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      @Nullable Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      return name.startsWith(OURS) ? define(name) : super.loadClass(name, resolve);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    try (@Nullable InputStream in = getParent().getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] code = in.readAllBytes();
      boolean changed =
          mutants.stream()
              .flatMap(each -> each.places().stream())
              .anyMatch(place -> place.className().equals(name));
      byte[] defined = changed ? plant(name, code) : code;
      return defineClass(name, defined, 0, defined.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The places that were found in the classes loaded so far, as class and method. */
  SortedSet<String> planted() {
    return planted;
  }

  private byte[] plant(String name, byte[] code) {
    ClassFile classFile = ClassFile.of();
    ClassModel model = classFile.parse(code);
    return classFile.transformClass(
        model, (builder, element) -> plant(name, model, builder, element));
  }

  private void plant(String name, ClassModel type, ClassBuilder builder, ClassElement element) {
    if (!(element instanceof MethodModel method)
        || method.code().isEmpty()
        || method.flags().has(AccessFlag.BRIDGE)
        || !isChanged(name, method)) {
      builder.with(element);
      return;
    }
    planted.add(name + "#" + method.methodName().stringValue());
    CodeModel original = method.code().get();
    copy(builder, method, "$original", original, CodeTransform.ACCEPT_ALL);
    for (int i = 0; i < mutants.size(); i++) {
      for (Mutant.Place place : mutants.get(i).places()) {
        if (isPlace(name, method, place)) {
          switch (place.change()) {
            case Change.Edit(CodeTransform transform) ->
                copy(builder, method, "$mutant" + i, original, transform);
            case Change.Body body ->
                builder.withMethodBody(
                    method.methodName().stringValue() + "$mutant" + i,
                    method.methodTypeSymbol(),
                    flags(method),
                    body.code());
          }
        }
      }
    }
    builder.withMethod(
        method.methodName(),
        method.methodType(),
        method.flags().flagsMask(),
        changed -> {
          method.forEach(
              part -> {
                if (!(part instanceof CodeModel)) {
                  changed.with(part);
                }
              });
          changed.withCode(body -> choose(name, type, method, body));
        });
  }

  private boolean isChanged(String name, MethodModel method) {
    return mutants.stream()
        .flatMap(each -> each.places().stream())
        .anyMatch(place -> isPlace(name, method, place));
  }

  private static boolean isPlace(String name, MethodModel method, Mutant.Place place) {
    return place.className().equals(name) && method.methodName().equalsString(place.method());
  }

  private static int flags(MethodModel method) {
    return ClassFile.ACC_PRIVATE
        | ClassFile.ACC_SYNTHETIC
        | (method.flags().has(AccessFlag.STATIC) ? ClassFile.ACC_STATIC : 0);
  }

  private static void copy(
      ClassBuilder builder,
      MethodModel method,
      String suffix,
      CodeModel original,
      CodeTransform transform) {
    builder.withMethod(
        method.methodName().stringValue() + suffix,
        method.methodTypeSymbol(),
        flags(method),
        copy -> copy.transformCode(original, transform));
  }

  private void choose(String name, ClassModel type, MethodModel method, CodeBuilder body) {
    for (int i = 0; i < mutants.size(); i++) {
      boolean here =
          mutants.get(i).places().stream().anyMatch(place -> isPlace(name, method, place));
      if (here) {
        Label next = body.newLabel();
        body.getstatic(SWITCH, "number", ConstantDescs.CD_int).loadConstant(i).if_icmpne(next);
        call(type, method, body, "$mutant" + i);
        body.labelBinding(next);
      }
    }
    call(type, method, body, "$original");
  }

  private static void call(ClassModel type, MethodModel method, CodeBuilder body, String suffix) {
    boolean isStatic = method.flags().has(AccessFlag.STATIC);
    boolean isInterface = type.flags().has(AccessFlag.INTERFACE);
    MethodTypeDesc signature = method.methodTypeSymbol();
    int slot = 0;
    if (!isStatic) {
      body.aload(slot++);
    }
    for (ClassDesc parameter : signature.parameterList()) {
      TypeKind kind = TypeKind.from(parameter);
      body.loadLocal(kind, slot);
      slot += kind.slotSize();
    }
    ClassDesc owner = type.thisClass().asSymbol();
    String copy = method.methodName().stringValue() + suffix;
    if (isStatic) {
      body.invokestatic(owner, copy, signature, isInterface);
    } else if (isInterface) {
      body.invokeinterface(owner, copy, signature);
    } else {
      body.invokevirtual(owner, copy, signature);
    }
    body.return_(TypeKind.from(signature.returnType()));
  }
}
