// The NiceGUI component: an empty place on the page, which the scripts in static/draw/ fill.
export default {
    template: '<div class="draw"></div>',
    props: { first: Object, materials: Array, robots: Array, colours: Array },
    async mounted() {
        const { Editor } = await import("/static/draw/editor.js");
        this.editor = new Editor(this.$el, this.$props);
        window.expeditionDraw = this.editor;
    },
    unmounted() { this.editor?.close(); },
    methods: {
        act(what, ...given) { return this.editor?.act(what, ...given); },
    },
};
