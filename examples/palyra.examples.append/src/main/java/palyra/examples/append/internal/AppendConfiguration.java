package palyra.examples.append.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the tool, as an operator writes it in {@code palyra.examples.append.json}. */
@ObjectClassDefinition(
        name = "Append example",
        description = "Where the example tool palyra.test.append keeps its files.")
@interface AppendConfiguration {
    /** The PID. */
    String PID = "palyra.examples.append";

    /** Folder of the files. */
    @AttributeDefinition(
            description =
                    "Folder of the files, absolute; empty means the folder append of the state"
                            + " folder. It is created for its owner alone.")
    String folder() default "";

    /** Largest file. */
    @AttributeDefinition(
            min = "1024",
            max = "1073741824",
            description = "Largest size of one file in bytes; an append beyond it is refused.")
    int maxFileBytes() default 16_777_216;
}
