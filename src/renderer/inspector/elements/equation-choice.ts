/** Whether equations show the values of the element: one choice for all forms of the window. */
import { ref } from 'vue';

export const showsValues = ref(false);
