/** The engine, its cache and its calls. */
package palyra.skills.engine.endive.internal;
