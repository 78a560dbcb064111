/** The protocol between the gateway and the compiler's process. Uses nothing but the JDK. */
package palyra.skills.engine.endive.internal.protocol;
