/** The program of the compiler's process; nothing of it runs in the gateway's JVM. */
package palyra.skills.engine.endive.internal.worker;
