package palyra.skills.engine.wasmtime.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the engine. */
@ObjectClassDefinition(
        name = "Skills: wasmtime",
        description = "Runs WebAssembly of trusted skills in a process of its own under Tier B.")
@interface WasmtimeConfiguration {
    /** The PID. */
    String PID = "palyra.skills.engine.wasmtime";

    /** Whether it may be used. */
    @AttributeDefinition(
            name = "Enabled",
            description = "Whether the worker may be started; it starts with the first call.")
    boolean enabled() default true;

    /** Most calls at once. */
    @AttributeDefinition(
            name = "Calls at once",
            description = "Most calls that run at one time, 1 to 32; a further one is refused.")
    int maxConcurrentCalls() default 8;

    /** Most pages of all instances. */
    @AttributeDefinition(
            name = "Pages of all instances",
            description =
                    "Most pages of 64 KiB that the memories of all running calls have together. A call"
                            + " that finds none waits within its time.")
    int maxPages() default 8_192;

    /** Memory of the worker. */
    @AttributeDefinition(
            name = "Memory of the worker",
            description =
                    "Bytes, where a cgroup counts them; it must have room for the pages of all"
                            + " instances and 256 MiB more.")
    long memoryBytes() default 1L << 30;

    /** When a worker without calls is ended. */
    @AttributeDefinition(
            name = "Idle minutes",
            description = "After that a worker without calls is ended, 1 to 1440.")
    int idleMinutes() default 10;

    /** Kernel features that Tier B may lack. */
    @AttributeDefinition(
            name = "Optional kernel features",
            description =
                    "Kernel features that the worker's sandbox may do without: landlock, seccomp,"
                            + " cgroup.",
            required = false)
    String[] permitMissing() default {"cgroup"};
}
