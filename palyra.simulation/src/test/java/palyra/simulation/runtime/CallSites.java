package palyra.simulation.runtime;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Map;

/**
 * Swaps the call sites by which a class learns the time, makes threads or draws random numbers for
 * those of {@link palyra.simulation.hook.Hooks}; nothing else of the class changes.
 */
final class CallSites implements ClassFileTransformer {
    private static final ClassDesc HOOKS = ClassDesc.of("palyra.simulation.hook.Hooks");
    private static final ClassDesc BUILDER = ClassDesc.of("java.lang.Thread$Builder");
    private static final ClassDesc RANDOM = ClassDesc.of("java.util.Random");

    /** Static methods: owner and name with descriptor, and the name of the hook. */
    private static final Map<String, String> STATICS =
            Map.of(
                    "java/lang/System.nanoTime()J", "nanoTime",
                    "java/lang/System.currentTimeMillis()J", "currentTimeMillis",
                    "java/time/Instant.now()Ljava/time/Instant;", "instantNow",
                    "java/time/InstantSource.system()Ljava/time/InstantSource;", "instantSource");

    /** Methods of threads' builders. */
    private static final Map<String, String> BUILDERS =
            Map.of(
                    "unstarted(Ljava/lang/Runnable;)Ljava/lang/Thread;", "unstarted",
                    "start(Ljava/lang/Runnable;)Ljava/lang/Thread;", "start",
                    "factory()Ljava/util/concurrent/ThreadFactory;", "factory");

    /** Methods of random numbers. */
    private static final Map<String, String> RANDOMS =
            Map.of(
                    "nextBytes([B)V",
                    "nextBytes",
                    "nextLong()J",
                    "nextLong",
                    "nextLong(J)J",
                    "nextLong");

    /** Returns whether this class belongs to what is simulated. */
    static boolean concerns(String name) {
        if (name.startsWith("palyra/")) {
            return !name.startsWith("palyra/simulation/hook/")
                    && !name.startsWith("palyra/simulation/runtime/");
        }
        return name.startsWith("java/util/concurrent/")
                || name.equals("java/lang/Thread")
                || name.equals("java/lang/VirtualThread");
    }

    @Override
    public byte[] transform(
            Module module,
            ClassLoader loader,
            String name,
            Class<?> redefined,
            ProtectionDomain domain,
            byte[] bytes) {
        if (name == null || !concerns(name)) {
            return null;
        }
        try {
            return swapped(loader, bytes);
        } catch (RuntimeException | Error e) {
            System.err.println("simulation: " + name + " was not swapped: " + e);
            throw e;
        }
    }

    private static byte[] swapped(ClassLoader loader, byte[] bytes) {
        ClassHierarchyResolver byResources =
                loader == null
                        ? ClassHierarchyResolver.defaultResolver()
                        : ClassHierarchyResolver.ofResourceParsing(loader)
                                .orElse(ClassHierarchyResolver.defaultResolver());
        ClassFile file = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(byResources));
        ClassModel model = file.parse(bytes);
        if (!refers(model)) {
            return null;
        }
        return file.transformClass(
                model, ClassTransform.transformingMethodBodies(CallSites::instruction));
    }

    private static boolean refers(ClassModel model) {
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof MemberRefEntry member && hookOf(member) != null) {
                return true;
            }
        }
        return false;
    }

    private static String hookOf(MemberRefEntry member) {
        String method = member.name().stringValue() + member.type().stringValue();
        String owner = member.owner().asInternalName();
        String known = STATICS.get(owner + "." + method);
        if (known != null) {
            return known;
        }
        if (owner.startsWith("java/lang/Thread$Builder")) {
            return BUILDERS.get(method);
        }
        return isRandom(owner) ? RANDOMS.get(method) : null;
    }

    private static boolean isRandom(String owner) {
        return owner.equals("java/security/SecureRandom")
                || owner.equals("java/util/concurrent/ThreadLocalRandom")
                || owner.equals("java/util/Random");
    }

    private static void instruction(CodeBuilder code, CodeElement element) {
        switch (element) {
            case InvokeInstruction call when hookOf(call.method()) != null ->
                    code.invokestatic(HOOKS, hookOf(call.method()), type(call.method()));
            case InvokeDynamicInstruction call -> code.invokedynamic(references(call));
            default -> code.with(element);
        }
    }

    /** A method of an object takes it as its first argument. */
    private static MethodTypeDesc type(MemberRefEntry method) {
        MethodTypeDesc own = MethodTypeDesc.ofDescriptor(method.type().stringValue());
        String owner = method.owner().asInternalName();
        if (owner.startsWith("java/lang/Thread$Builder")) {
            return own.insertParameterTypes(0, BUILDER);
        }
        return isRandom(owner) ? own.insertParameterTypes(0, RANDOM) : own;
    }

    private static DynamicCallSiteDesc references(InvokeDynamicInstruction call) {
        ConstantDesc[] arguments = call.bootstrapArgs().toArray(ConstantDesc[]::new);
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof DirectMethodHandleDesc method) {
                String owner = method.owner().descriptorString();
                String key =
                        owner.substring(1, owner.length() - 1)
                                + "."
                                + method.methodName()
                                + method.lookupDescriptor();
                String hook = STATICS.get(key);
                if (hook != null) {
                    arguments[i] =
                            MethodHandleDesc.ofMethod(
                                    DirectMethodHandleDesc.Kind.STATIC,
                                    HOOKS,
                                    hook,
                                    MethodTypeDesc.ofDescriptor(method.lookupDescriptor()));
                }
            }
        }
        return DynamicCallSiteDesc.of(
                call.bootstrapMethod(), call.name().stringValue(), call.typeSymbol(), arguments);
    }
}
