// The NiceGUI component: an empty place on the page, which the scripts in static/ fill.
export default {
    template: '<div class="mission-view"></div>',
    props: { address: String, panels: Boolean },
    async mounted() {
        const { Watch } = await import("/static/watch.js");
        const panels = this.panels ? await import("/static/panels/index.js") : null;
        this.watch = new Watch(this.$el, this.address);
        panels?.attach(this.watch);
        window.expedition = this.watch;
    },
    unmounted() { this.watch?.close(); },
};
