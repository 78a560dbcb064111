/** The executor of tools that are services in this JVM. */
package palyra.tools.internal.executor;
