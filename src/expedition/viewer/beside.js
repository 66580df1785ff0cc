// The NiceGUI component: places for two missions, which static/compare.js fills and keeps in step.
export default {
    template: '<div class="beside"></div>',
    props: { names: Array },
    async mounted() {
        const { Compare } = await import("/static/compare.js");
        this.compare = new Compare(this.$el, this.names);
        window.expedition = this.compare;
    },
    unmounted() { this.compare?.close(); },
};
