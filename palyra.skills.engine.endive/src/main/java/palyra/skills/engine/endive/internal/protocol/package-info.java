/** What the gateway and the process of the compiler tell each other. Uses nothing but the JDK. */
package palyra.skills.engine.endive.internal.protocol;
