/** What cannot be loaded once the realm is frozen is loaded before, as workers do. */
import '@engine/document/expressions';
import '@engine/index';
import '@engine/units/conversion';
