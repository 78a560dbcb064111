package palyra.skills.engine.endive.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the engine. */
@ObjectClassDefinition(
        name = "Skills: Endive",
        description =
                "Runs WebAssembly of skills in the gateway's JVM, compiled in another process.")
@interface EndiveConfiguration {
    /** The PID. */
    String PID = "palyra.skills.engine.endive";

    /** Most calls at once. */
    @AttributeDefinition(
            name = "Calls at once",
            description = "Most calls that run at one time, 1 to 1024; a further one is refused.")
    int maxConcurrentCalls() default 64;

    /** Most pages of all instances. */
    @AttributeDefinition(
            name = "Pages of all instances",
            description =
                    "Most pages of 64 KiB that the memories of all running calls may have together,"
                            + " counted as they are used; calls wait for pages within their time. 0"
                            + " means half of the JVM's heap.")
    int maxPages() default 0;

    /** Size of compiled code in memory. */
    @AttributeDefinition(
            name = "Compiled code in memory",
            description = "Bytes of compiled code that are kept for further calls, from 1048576.")
    long cacheBytes() default 64L << 20;

    /** Size of compiled code on disk. */
    @AttributeDefinition(
            name = "Compiled code on disk",
            description =
                    "Bytes of compiled code that are kept in wasm-cache of the state folder; 0"
                            + " turns this off.")
    long diskCacheBytes() default 256L << 20;

    /** Stack of a call. */
    @AttributeDefinition(
            name = "Stack of a call",
            description = "Bytes of the stack of a thread that runs calls, 1048576 to 67108864.")
    int stackBytes() default 8 << 20;

    /** Heap of a compilation. */
    @AttributeDefinition(
            name = "Heap of a compilation",
            description =
                    "Bytes of the heap of the process that compiles one module, 67108864 to"
                            + " 4294967296; at most two run at a time. A module that needs more is"
                            + " refused.")
    long compileHeapBytes() default 384L << 20;

    /** Processor time of a compilation. */
    @AttributeDefinition(
            name = "Processor time of a compilation",
            description =
                    "Seconds of processor time that compiling one module may take, 1 to 600. A"
                            + " module that needs more is refused.")
    int compileCpuSeconds() default 30;
}
